import { useQuery } from '@tanstack/react-query'
import { preferencesQuery } from '#web/lib/queries/preferences.ts'
import { Card } from '#web/ui/card.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { PreferencesForm } from './preferences-form.tsx'

export function PreferencesTab() {
  const preferences = useQuery(preferencesQuery)
  return (
    <Card title="Notification Preferences" description="What is mailed to you, and how screens look.">
      <QueryView
        query={preferences}
        skeleton={<RowSkeletons rows={4} />}
        errorTitle="The preferences could not be loaded"
      >
        {(values) => <PreferencesForm preferences={values} />}
      </QueryView>
    </Card>
  )
}

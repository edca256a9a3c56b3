import { useInfiniteQuery } from '@tanstack/react-query'
import { secureTokensQuery } from '#web/lib/queries/secure-tokens.ts'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { RowSkeletons } from '#web/ui/row-skeletons.tsx'
import { CreateTokenDialog } from './create-token-dialog.tsx'
import { TokenList } from './token-list.tsx'

export function SecureTokensScreen() {
  const tokens = useInfiniteQuery(secureTokensQuery())
  return (
    <>
      <PageHeader
        title="Secure Tokens"
        description="Credentials for the applications that call the proxy."
        action={<CreateTokenDialog />}
      />
      <Notice>
        Secure tokens start with <code className="font-mono text-xs">st_</code> and stand in for your provider keys: an
        application that has one never sees the key behind it. Switch a token off and its clients are rejected.
      </Notice>
      <QueryView
        query={tokens}
        skeleton={
          <Panel>
            <RowSkeletons rows={2} />
          </Panel>
        }
        errorTitle="The secure tokens could not be loaded"
      >
        {(list) => <TokenList isEmpty={!list?.total} />}
      </QueryView>
    </>
  )
}

import { useId } from 'react'
import { Field } from '#web/ui/field.tsx'
import { codeInput, Input } from '#web/ui/input.tsx'
import { JsonEditor } from '#web/ui/json-editor.tsx'
import { Select } from '#web/ui/select.tsx'
import { endpointError, endpointSamples, type TesterRequest, testerMethods, withEndpoint } from './tester-request.ts'

const methods = testerMethods.map((method) => ({ value: method, label: method }))

type RequestPanelProps = { request: TesterRequest; onChange: (request: TesterRequest) => void }

export function RequestPanel({ request, onChange }: RequestPanelProps) {
  const listId = useId()
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-4 sm:flex-row">
        <div className="sm:w-32">
          <Field label="Method">
            {(aria) => (
              <Select
                {...aria}
                value={request.method}
                options={methods}
                onValueChange={(method) => onChange({ ...request, method })}
              />
            )}
          </Field>
        </div>
        <Field label="Endpoint" error={endpointError(request.endpoint)}>
          {(aria) => (
            <>
              <Input
                {...aria}
                list={listId}
                value={request.endpoint}
                onChange={(event) => onChange(withEndpoint(request, event.target.value))}
                inputMode="url"
                required
                {...codeInput}
              />
              <datalist id={listId}>
                {Object.entries(endpointSamples).map(([endpoint, { method }]) => (
                  <option key={endpoint} value={endpoint}>
                    {method}
                  </option>
                ))}
              </datalist>
            </>
          )}
        </Field>
      </div>
      <JsonEditor
        label="Headers"
        blankError="Not valid JSON: {} stands for no headers."
        value={request.headers}
        onValueChange={(headers) => onChange({ ...request, headers })}
        className="h-20"
      />
      <JsonEditor
        label="Body"
        hint={request.method === 'GET' ? 'GET sends no body.' : 'Add "stream": true to see the response as it arrives.'}
        value={request.body}
        onValueChange={(body) => onChange({ ...request, body })}
        className="h-56"
      />
    </div>
  )
}

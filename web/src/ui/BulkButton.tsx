import type { BulkResult, bulkResult } from '@gridmast/contract/bulk.ts'
import type { CallShape, Sent } from '@gridmast/contract/call.ts'
import { Button } from '@mantine/core'
import { useDo } from '#lib/query.ts'

type BulkCall = CallShape & { response: typeof bulkResult }

type Props<C extends BulkCall> = {
  call: C
  sent: Sent<C>
  onDone: (result: BulkResult) => void
  children: string
}

/** One act on the selected rows. */
export const BulkButton = <C extends BulkCall>({ call, sent, onDone, children }: Props<C>) => {
  const { mutate, isPending } = useDo<C>(call)
  return (
    <Button
      variant="default"
      size="xs"
      loading={isPending}
      onClick={() => mutate(sent, { onSuccess: (data) => onDone(data) })}
    >
      {children}
    </Button>
  )
}

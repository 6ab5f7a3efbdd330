import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'
import { useForm } from '@mantine/form'
import { use, useEffect, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { AroundForm } from './around-form.ts'
import { currentMs } from './clock.ts'
import { translateText } from './i18n.ts'
import { fieldErrors } from '@gridmast/contract/zod-words.ts'
import type { z } from 'zod'
import type { ApiError } from './api.ts'
import { useSecondsUntil } from './countdown.ts'
import { useDo } from './query.ts'

/** Validates with the schema that the server uses; one message for each field path. */
const validateWith = (schema: z.ZodType) => (body: unknown) => {
  const { error } = schema.safeParse(body)
  return Object.fromEntries(
    Object.entries(error ? fieldErrors(error) : {}).map(([path, message]) => [path, translateText(message)]),
  )
}

type Options<C extends CallShape, V> = {
  initial: V
  /** Field paths in the order of the screen: the first wrong one gets the focus. */
  fields: readonly string[]
  /** The body of what the form holds, where the two differ; field paths are those of the body. */
  toBody?: (values: V) => object
  /** What is sent beside the body: the names in the path, a file. */
  beside?: () => { params?: object; file?: File | null }
  onDone: (data: Data<C>, values: V) => void
  onRefused?: (error: ApiError) => void
}

/**
 * A form whose values are the body of one call: checked with the call's own schema, refusals of the server under their
 * fields, and after too many attempts a wait that counts down. Nothing typed is lost.
 */
export const useCallForm = <C extends CallShape & { body: z.ZodType }, V extends Record<string, unknown>>(
  call: C,
  { initial, fields, toBody = (values) => values, beside, onDone, onRefused }: Options<C, V>,
) => {
  const [retryAtMs, setRetryAtMs] = useState(0)
  const waitS = useSecondsUntil(retryAtMs)
  const doing = useDo(call, { fields })
  const form = useForm<V>({
    initialValues: initial,
    validate: (values) => validateWith(call.body)(toBody(values)),
    clearInputErrorOnChange: true,
  })
  const { report } = use(AroundForm)
  const id = useId()
  const unsaved = form.isDirty()
  useEffect(() => {
    report(id, unsaved)
    return () => report(id, false)
  }, [report, id, unsaved])
  const focusFirst = (errors: object) => form.getInputNode(fields.find((path) => path in errors) ?? '')?.focus()
  const send = (values: V) =>
    doing.mutate(
      { ...beside?.(), body: toBody(values) } as unknown as Sent<C>, // the form's values are the body that the schema has just passed
      {
        onSuccess: (data) => {
          flushSync(() => report(id, false))
          onDone(data, values)
        },
        onError: (error) => {
          if (error.retryAfterS !== null) setRetryAtMs(currentMs() + error.retryAfterS * 1000)
          const owned = Object.entries(error.errors).filter(([path]) => fields.includes(path))
          form.setErrors(Object.fromEntries(owned.map(([path, message]) => [path, translateText(message)])))
          focusFirst(error.errors)
          onRefused?.(error)
        },
      },
    )
  return {
    form,
    sending: doing.isPending,
    waitS,
    focus: (path: string) => form.getInputNode(path)?.focus(),
    field: (path: string) => ({ withAsterisk: true, ...form.getInputProps(path) }),
    submit: form.onSubmit(send, focusFirst),
  }
}

import './zod.ts'
import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'
import { useForm } from '@mantine/form'
import { type SubmitEvent, use, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { z } from 'zod'
import { fieldErrors } from '@gridmast/contract/zod-words.ts'
import { isDecimal } from '@gridmast/contract/numbers.ts'
import type { ApiError } from './api.ts'
import { currentMs, useSecondsUntil } from './clock.ts'
import { translateText } from './i18n.ts'
import { useDo } from './query.ts'
import { UnsavedGuard } from './unsaved.ts'

/** The number for a body from the text of a `DecimalField`; invalid text is kept, so that the schema refuses it. */
export const typedNumber = (decimal: string | undefined): number | string | undefined =>
  decimal !== undefined && isDecimal(decimal) ? Number(decimal) : decimal

const validateWith = (schema: z.ZodType) => (body: unknown) => {
  const { error } = schema.safeParse(body)
  return Object.fromEntries(
    Object.entries(error ? fieldErrors(error) : {}).map(([path, message]) => [path, translateText(message)]),
  )
}

const fieldSchema = (schema: z.core.$ZodType | undefined, key: string): z.core.$ZodType | undefined => {
  if (schema instanceof z.ZodObject) return schema.shape[key]
  if (schema instanceof z.ZodArray) return schema.element
  if (schema instanceof z.ZodRecord) return schema.valueType
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return fieldSchema(schema.unwrap(), key)
  return undefined
}

const emptyValues = [undefined, null, '', []]

/** Whether the body's schema refuses an empty field at this path. */
export const isRequired = (body: z.ZodObject, path: string): boolean => {
  const schema = path.split('.').reduce(fieldSchema, body)
  return schema !== undefined && emptyValues.every((empty) => !z.safeParse(schema, empty).success)
}

export type FormCall = CallShape & { body: z.ZodObject }
export type FormValues = Record<string, unknown>

export type FormOptions<C extends CallShape, V> = {
  initial: V
  /** The body for the form's values, when they differ; field paths are those of the body. */
  toBody?: ((values: V) => object) | undefined
  request?: { params?: object; file?: File | null } | undefined
  onDone: (data: Data<C>, values: V) => void
  onRefused?: ((error: ApiError) => void) | undefined
}

/**
 * A form with the body of one call as values: validated by the call's schema, with the server's refusals at their fields and a countdown after
 * too many attempts. The first field with an error receives the focus.
 */
export const useCallForm = <C extends FormCall, V extends FormValues>(
  call: C,
  { initial, toBody = (values) => values, request, onDone, onRefused }: FormOptions<C, V>,
) => {
  const [retryAtMs, setRetryAtMs] = useState(0)
  const waitS = useSecondsUntil(retryAtMs)
  const element = useRef<HTMLFormElement>(null)
  const inputs = () => [...(element.current?.querySelectorAll<HTMLElement>('[data-path]') ?? [])]
  /** Errors of list items are shown at the list's field: `emails.2` at `emails`. */
  const isOf = (input: HTMLElement, path: string) => `${path}.`.startsWith(`${input.dataset['path']}.`)
  const fields = { includes: (path: string) => inputs().some((input) => isOf(input, path)) }
  const doing = useDo(call, { fields })
  const form = useForm<V>({
    initialValues: initial,
    validate: (values) => validateWith(call.body)(toBody(values)),
    clearInputErrorOnChange: true,
  })
  const { report } = use(UnsavedGuard)
  const id = useId()
  const unsaved = form.isDirty()
  useEffect(() => {
    report(id, unsaved)
    return () => report(id, false)
  }, [report, id, unsaved])
  const focusFirst = (errors: object) => {
    const paths = Object.keys(errors)
    const first =
      inputs().find((input) => paths.includes(input.dataset['path'] ?? '')) ??
      inputs().find((input) => paths.some((path) => isOf(input, path)))
    first?.focus()
  }
  const send = (values: V) =>
    doing.mutate(
      { ...request, body: toBody(values) } as unknown as Sent<C>, // the form's values are the body that the schema has accepted
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
  const field = (path: string) => {
    const { value, ...props } = form.getInputProps(path)
    return { withAsterisk: isRequired(call.body, path), value, ...props }
  }
  const decimalField = (path: string, toValue: (decimal: string | undefined) => unknown) => {
    const { value, onChange, ...props } = field(path)
    return {
      ...props,
      initial: value as string | number | null | undefined,
      onChange: (decimal: string | undefined) => onChange(toValue(decimal)),
    }
  }
  return {
    form,
    values: form.values,
    unsaved,
    sending: doing.isPending,
    waitS,
    focus: (path: string) => form.getInputNode(path)?.focus(),
    field,
    number: (path: string, empty?: number) => decimalField(path, (decimal) => typedNumber(decimal) ?? empty),
    decimal: (path: string, empty: '' | null = '') => decimalField(path, (decimal) => decimal ?? empty),
    checkbox: (path: string) => form.getInputProps(path, { type: 'checkbox' }),
    formProps: {
      ref: element,
      noValidate: true,
      onSubmit: (event?: SubmitEvent<HTMLFormElement>) => form.onSubmit(send, focusFirst)(event),
    },
  }
}

export type CallFormOf<V extends FormValues = FormValues> = ReturnType<typeof useCallForm<FormCall, V>>

import type { CallShape, Data, Sent } from '@gridmast/contract/call.ts'
import { useForm } from '@mantine/form'
import { type SubmitEvent, use, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { z } from 'zod'
import { isDecimal } from '@gridmast/contract/numbers.ts'
import type { ApiError } from './api.ts'
import { currentMs, useSecondsUntil } from './clock.ts'
import { t, translateText, withWords } from './i18n.ts'
import { late } from './late.ts'
import { useDo } from './query.ts'
import { showToast } from './toast.ts'
import { UnsavedGuard } from './unsaved.ts'

/** The number for a body from the text of a `DecimalField`; invalid text is kept, so that the schema refuses it. */
export const typedNumber = (decimal: string | undefined): number | string | undefined =>
  decimal !== undefined && isDecimal(decimal) ? Number(decimal) : decimal

/** The schemas of all forms: marks of required fields follow them, and a form that is sent earlier waits for them. */
export const formChecks = late(() => withWords(import('#lib/form-checks.ts'), 'contract-products'))

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
  const [checking, setChecking] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const inputs = () => [...(element.current?.querySelectorAll<HTMLElement>('[data-path]') ?? [])]
  /** Errors of list items are shown at the list's field: `emails.2` at `emails`. */
  const isOf = (input: HTMLElement, path: string) => `${path}.`.startsWith(`${input.dataset['path']}.`)
  const fields = { includes: (path: string) => inputs().some((input) => isOf(input, path)) }
  const doing = useDo(call, { fields })
  const checks = formChecks.useFile()
  const form = useForm<V>({
    initialValues: initial,
    validate: (values) => formChecks.get()?.errorsOf(call.body, toBody(values)) ?? {},
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
  /** False when the schemas could not be loaded, or when the form was closed in the meantime. */
  const canCheck = async () => {
    if (formChecks.get()) return true
    setChecking(true)
    const isLoaded = await formChecks.load().then(
      () => true,
      () => {
        showToast({ kind: 'error', message: t('The form could not be loaded. Try again, or reload the page.') })
        return false
      },
    )
    setChecking(false)
    return isLoaded && element.current?.isConnected === true
  }
  const field = (path: string) => {
    const { value, ...props } = form.getInputProps(path)
    const required = checks?.isRequired(call.body, path) ?? false
    // A group of checkboxes has no such state.
    const state = required && !Array.isArray(value) ? { 'aria-required': true } : {}
    return { withAsterisk: required, ...state, value, ...props }
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
    sending: checking || doing.isPending,
    waitS,
    /** Null when the form could not be validated. */
    validate: async () => ((await canCheck()) ? form.validate() : null),
    focus: (path: string) => form.getInputNode(path)?.focus(),
    field,
    number: (path: string, empty?: number) => decimalField(path, (decimal) => typedNumber(decimal) ?? empty),
    decimal: (path: string, empty: '' | null = '') => decimalField(path, (decimal) => decimal ?? empty),
    checkbox: (path: string) => form.getInputProps(path, { type: 'checkbox' }),
    formProps: {
      ref: element,
      noValidate: true,
      onSubmit: async (event?: SubmitEvent<HTMLFormElement>) => {
        event?.preventDefault()
        if (await canCheck()) form.onSubmit(send, focusFirst)()
      },
    },
  }
}

export type CallFormOf<V extends FormValues = FormValues> = ReturnType<typeof useCallForm<FormCall, V>>

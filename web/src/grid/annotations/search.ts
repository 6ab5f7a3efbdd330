import { type AnnotationKind, annotationKinds } from '@gridmast/contract/delivery/annotation-kinds.ts'
import { matching, searchParams } from '#lib/search-params.ts'

/** The instance, charger or site of a chart. */
export type Marked = { kind?: 'charger' | 'site'; _id: string; name: string }

/** Kinds of marks that the charts do not show, `alert,plan`. */
export const annotationSearch = searchParams({
  hide: matching((text) => text.split(',').every((kind) => annotationKinds.some((one) => one === kind))),
})

export const isHidden = (hide: string | undefined, kind: AnnotationKind): boolean =>
  hide?.split(',').includes(kind) ?? false

export const withToggled = (hide: string | undefined, kind: AnnotationKind): string | undefined =>
  annotationKinds.filter((one) => isHidden(hide, one) !== (one === kind)).join(',') || undefined

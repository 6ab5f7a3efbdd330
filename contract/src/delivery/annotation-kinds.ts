export const annotationKinds = ['note', 'activation', 'alert', 'plan'] as const
export type AnnotationKind = (typeof annotationKinds)[number]

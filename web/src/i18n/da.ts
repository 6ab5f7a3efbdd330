import { daFirst } from './da-first.ts'
import { daRest } from './da-rest.ts'

/** Danish, by the English sentence. A sentence on screen that is missing here does not compile. Nothing of a page imports it but types. */
export const da = { ...daFirst, ...daRest }

type Key = Exclude<keyof typeof da, `${string}_one`>
/** A sentence of a number of things, in English; `<sentence>_one` is what both languages say of one. */
export type PluralSentence = Extract<Key, `${string}{{count}}${string}`>
/** Every other sentence of the portal, in English. */
export type Sentence = Exclude<Key, PluralSentence>

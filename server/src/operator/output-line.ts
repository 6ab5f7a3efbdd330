/** A printed line; an error ends the tool with exit code 1. */
export type OutputLine = { text: string; isError?: boolean }

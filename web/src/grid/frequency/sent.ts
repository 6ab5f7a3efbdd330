const points = 1800

/** What the card of a signal asks. */
export const sentOf = ({ _id }: { _id: string }) => ({ params: { id: _id }, query: { maxPoints: points } })

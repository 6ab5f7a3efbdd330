/** Settled days of the test world, for domains that read them. */
export {
  addBid,
  type Bidder,
  clear,
  decide,
  measure,
  placeRequest,
  setContract,
} from '#domains/economics/economics.fixture.ts'
export { settleDue } from '#domains/economics/settle-due.ts'

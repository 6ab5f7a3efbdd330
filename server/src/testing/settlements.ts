/** Settled days for domains that read them. */
export {
  addBid,
  type Bidder,
  changeBids,
  clear,
  decide,
  measure,
  placeRequest,
  setContract,
} from '#settlement/economics/economics.fixture.ts'
export { settleDue } from '#settlement/economics/settle-due.ts'

// The first row of home (web/src/portal/home/prefetch-home.ts) as addresses of calls.
type Verified = { data: { user: { customerId: { frequency: { _id: string }[]; biddingMarkets: string[] } } } }

export const homeCalls = (verified: string): string[] => {
  const { frequency, biddingMarkets } = (JSON.parse(verified) as Verified).data.user.customerId
  const [signal, market] = [frequency[0], biddingMarkets[0]]
  if (!signal || market === undefined) throw new Error('the customer has no frequency or no market')
  return [
    '/user/verify',
    `/client/data/frequency/${signal._id}?maxPoints=1500`,
    `/client/data/powercapacity/sum?market=${market}`,
    '/client/data/revenue',
  ]
}

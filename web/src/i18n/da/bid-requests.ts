export const bidRequests = {
  'Bid requests': 'Budanmodninger',
  'Your bid requests and what became of them.': 'Dine budanmodninger og resultatet af dem.',
  'Created a bid request': 'Oprettede en budanmodning',
  'Edited a bid request': 'Rettede en budanmodning',
  'Sent bids to the grid operator': 'Sendte bud til netoperatøren',
  'Deleted a bid request': 'Slettede en budanmodning',
}

// Domains never import domains, nor do their tests: what edges are told is made by this.
export { prepareConfigs } from '#domains/bid-requests/edge-config.ts'

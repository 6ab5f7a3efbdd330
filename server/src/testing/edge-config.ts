// Domains never import domains, nor do their tests: what edges are told is made by this.
export { prepareConfigs } from '#trading/sold/edge-config.ts'

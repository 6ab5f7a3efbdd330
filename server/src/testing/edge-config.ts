// Domains and their tests do not import other domains; they import the configuration of edges from here.
export { prepareConfigs } from '#trading/sold/edge-config.ts'

// Domains never import domains, nor do their tests: meters with readings for them come from here.
export { dayOf, lastOnTrail, openDataHub, point, putMeter, putReadings } from '#meters/data-hub/data-hub.fixture.ts'

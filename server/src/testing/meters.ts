// Domains and their tests do not import other domains; they import meters with readings from here.
export { dayOf, lastOnTrail, openDataHub, point, putMeter, putReadings } from '#meters/data-hub/data-hub.fixture.ts'

// Domains and their tests do not import other domains; they import chargers from here.
export { addChargers, addTags } from '#charging/ledger/charger.fixture.ts'
export { monthlyCharging } from '#charging/costs/statement.ts'

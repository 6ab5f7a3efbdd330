// Domains never import domains, nor do their tests: chargers of the test world for them come from here.
export { addChargers, addTags } from '#charging/ledger/charger.fixture.ts'
export { monthlyCharging } from '#charging/costs/statement.ts'

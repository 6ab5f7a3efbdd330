// Domains never import domains, nor do their tests: chargers of the test world for them come from here.
export { addChargers, addTags } from '#domains/ev-charging/charger.fixture.ts'
export { monthlyCharging } from '#domains/charging-costs/statement.ts'

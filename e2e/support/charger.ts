import { expect, type Page } from '@playwright/test'
import { m } from '@gridmast/contract/messages.ts'
import { openCharger, type SimulatedCharger } from '../../simulators/charge-point/charger.ts'
import type { Demo } from './test.ts'

/** Registers a charger on the screen and connects it; no simulated car uses it. The caller closes it. */
export const addCharger = async (page: Page, demo: Demo, name: string): Promise<SimulatedCharger> => {
  const identity = `J-${Date.now()}`
  // The first three drivers of the demo pay at the newest free chargers, so this one is added afterwards.
  await page.goto('/cfm/mobilepay')
  const paid = page.getByRole('table', { name: 'Payments' }).getByRole('row').filter({ hasText: '250,00' })
  await expect(paid.first()).toBeVisible({ timeout: 240_000 })
  await page.goto('/cfm/tools')
  await page.getByRole('button', { name: 'Register a charger' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
  await dialog.getByRole('textbox', { name: 'Identity' }).fill(identity)
  await dialog.getByRole('textbox', { name: 'Connectors' }).fill('1')
  await dialog.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByText(m.chargerRegistered)).toBeVisible()
  const address = await dialog.getByRole('region', { name: 'Address of the central system' }).innerText()
  expect(address).toBe(`${demo.url.replace('http', 'ws')}/ocpp/vestkyst/${identity}`)
  const password = await dialog.locator('code').first().innerText()
  await dialog.getByRole('checkbox', { name: 'I have saved it' }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toHaveCount(0)
  const charger = openCharger({
    charger: {
      customerKey: 'vestkyst',
      identity,
      password,
      type: 'AC',
      connectors: 1,
      maxKw: 22,
      simulated: true,
      simulatedVersion: 'ocpp1.6',
      simulatedAs: 'normal',
    },
    url: address.slice(0, address.lastIndexOf('/')),
  })
  await expect.poll(() => charger.isOpen()).toBe(true)
  // The list refreshes every half minute.
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('Online', { timeout: 60_000 })
  return charger
}

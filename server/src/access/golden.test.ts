import type { CallShape } from '@gridmast/contract/call.ts'
import { calls } from '@gridmast/contract/calls.ts'
import { m } from '@gridmast/contract/messages.ts'
import { readScopes } from '@gridmast/contract/roles.ts'
import { screens } from '@gridmast/contract/screens.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#app.ts'
import { newId } from '#platform/records/ids.ts'
import { newToken, tokenSha256 } from '#platform/security/token.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { idsOf, validRequest } from '#testing/tenant-matrix.ts'
import { addSession } from './sessions.ts'
import { forgetViewers } from './viewer.ts'

/* Security rule R2: the permissions of every call, copied from section 6 of the three specification texts, not from roles.ts, and checked on
   the real server. A new call needs a row here. Text 1: "Only sudoer can Add Key" ... Text 2: "Only SUDOER and EXPERT can ... edit profiles",
   "A custom role has an allowed map per route id. Routes not allowed show the not-authorized page". Text 3: "Nordpool block: custom role only
   if allowed includes nordPool". API keys, webhooks, the audit trail and second factors are not in the texts; their rows are own decisions. */
const yes = 'yes'
const role = 'You are not authorized to do this'
const shut = 'Oops! You are not authorized to access this!'
const key = 'This API key does not cover this call'

type Row = {
  sudoer: string
  expert: string
  auditor: string
  /** A custom user with one of `keys` in the allowed map, and one with all others. */
  custom: string
  customWithout: string
  keys?: string[]
  /** The sudoer of a customer without trueGreen, licences and markets. */
  bare: string
  apiKey: string
}
const row = (
  [sudoer, expert, auditor, custom, customWithout, bare, apiKey]: [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ],
  keys?: string[],
): Row => ({ sudoer, expert, auditor, custom, customWithout, bare, apiKey, ...(keys ? { keys } : {}) })

const inactive = 'Oops! License is not active'
const home = ['dashboard', 'demandResponse', 'e3App']
// Licences grant the apps of text 1 and the legacy page of text 2.
const apps = [...home, 'e3']

const table: Record<string, Row | 'public'> = {
  login: 'public',
  loginSecondFactor: 'public',
  loginLink: 'public',
  openWall: 'public',
  handoff: 'public',
  requestAccount: 'public',
  resetPassword: 'public',
  resendOtp: 'public',
  resetWithOtp: 'public',
  undoEmail: 'public',
  unsubscribe: 'public',
  confirmAddress: 'public',
  health: 'public',
  openApi: 'public',
  docs: 'public',

  //           sudoer expert auditor custom custom- bare  API key
  verify: row([yes, yes, yes, yes, yes, yes, key]),
  logout: row([yes, yes, yes, yes, yes, yes, key]),
  logoutAll: row([yes, yes, yes, yes, yes, yes, key]),
  sessions: row([yes, yes, yes, yes, yes, yes, key]),
  addWall: row([yes, yes, yes, yes, yes, yes, key]),
  changeWall: row([yes, yes, yes, yes, yes, yes, key]),
  search: row([yes, yes, yes, yes, yes, yes, key]),
  revokeSession: row([yes, yes, yes, yes, yes, yes, key]),
  saveLanguage: row([yes, yes, yes, yes, yes, yes, key]),
  updatePassword: row([yes, yes, yes, yes, yes, yes, key]),
  beginSecondFactor: row([yes, yes, yes, yes, yes, yes, key]),
  confirmSecondFactor: row([yes, yes, yes, yes, yes, yes, key]),
  removeSecondFactor: row([yes, yes, yes, yes, yes, yes, key]),
  // Not in the texts: each user sees the steps that the role may do.
  noteVisit: row([yes, yes, yes, yes, yes, yes, key]),
  findFirstSteps: row([yes, yes, yes, yes, yes, yes, key]),
  hideFirstSteps: row([yes, yes, yes, yes, yes, yes, key]),
  profile: row([yes, yes, yes, yes, yes, yes, yes]),
  live: row([yes, yes, yes, yes, yes, yes, yes]),
  systemStatus: row([yes, yes, yes, yes, yes, yes, yes]),
  historyProgress: row([yes, yes, yes, yes, yes, yes, yes]),

  confirmEmail: row([yes, yes, role, role, role, yes, key]),
  updateProfile: row([yes, yes, role, role, role, yes, key]),
  updateDetails: row([yes, yes, role, role, role, yes, key]),
  // Not in the texts: an edge controls equipment, so the sudoer adds it.
  findEdges: row([yes, role, role, role, role, yes, key]),
  addEdge: row([yes, role, role, role, role, yes, key]),
  renewEdgeSecret: row([yes, role, role, role, role, yes, key]),
  setEdgeEnabled: row([yes, role, role, role, role, yes, key]),
  addEdgeInstance: row([yes, role, role, role, role, yes, key]),
  edgeConnection: row([yes, role, role, role, role, yes, key]),
  // Not in the texts: all users share the dashboard, so the sudoer arranges it.
  saveDashboard: row([yes, role, role, role, role, yes, key]),
  requireSecondFactor: row([yes, role, role, role, role, yes, key]),

  // Not in the texts: devices are the user's own.
  findPushDevices: row([yes, yes, yes, yes, yes, yes, key]),
  savePushDevice: row([yes, yes, yes, yes, yes, yes, key]),
  removePushDevice: row([yes, yes, yes, yes, yes, yes, key]),
  testPushDevice: row([yes, yes, yes, yes, yes, yes, key]),

  // Every user has views; the role for views of the company is checked in their routes.
  findSavedViews: row([yes, yes, yes, yes, yes, yes, key]),
  addSavedView: row([yes, yes, yes, yes, yes, yes, key]),
  changeSavedView: row([yes, yes, yes, yes, yes, yes, key]),
  removeSavedView: row([yes, yes, yes, yes, yes, yes, key]),
  setDefaultView: row([yes, yes, yes, yes, yes, yes, key]),

  findApiKeys: row([yes, role, role, role, role, yes, key]),
  addApiKey: row([yes, role, role, role, role, yes, key]),
  revokeApiKey: row([yes, role, role, role, role, yes, key]),
  findWebhooks: row([yes, role, role, role, role, yes, key]),
  addWebhook: row([yes, role, role, role, role, yes, key]),
  saveWebhook: row([yes, role, role, role, role, yes, key]),
  removeWebhook: row([yes, role, role, role, role, yes, key]),
  testWebhook: row([yes, role, role, role, role, yes, key]),
  findWebhookDeliveries: row([yes, role, role, role, role, yes, key]),
  retryWebhookDelivery: row([yes, role, role, role, role, yes, key]),
  findAudit: row([yes, role, yes, role, role, yes, yes]),
  verifyAudit: row([yes, role, yes, role, role, yes, yes]),

  // Text 1: "Add and delete email subscriptions, Actions column: SUDOER, EXPERT"; switching has the same permission as adding.
  findEmailSubscriptions: row([yes, yes, yes, yes, shut, yes, yes], ['emailSubscriptions']),
  addEmailSubscriptions: row([yes, yes, role, role, role, yes, key]),
  setEmailSubscription: row([yes, yes, role, role, role, yes, key]),
  removeEmailSubscription: row([yes, yes, role, role, role, yes, key]),

  frequencySeries: row([yes, yes, yes, yes, shut, yes, yes], home),
  frequencyLastReported: row([yes, yes, yes, yes, shut, yes, yes], home),
  lastFrequencies: row([yes, yes, yes, yes, shut, yes, yes], home),
  setPointSeries: row([yes, yes, yes, yes, shut, yes, yes], home),
  powerCapacity: row([yes, yes, yes, yes, shut, yes, yes], home),
  powerCapacitySum: row([yes, yes, yes, yes, shut, yes, yes], home),
  energyNow: row([yes, yes, yes, yes, shut, yes, yes], home),
  powerCapacityLastReported: row([yes, yes, yes, yes, shut, yes, yes], home),
  // Text 1: "Equipment Testing action: SUDOER only". Its charts show the power of the instance.
  controlEquipment: row([yes, role, role, role, role, yes, key]),
  equipmentSeries: row([yes, yes, yes, yes, shut, yes, yes], home),
  signalLastReported: row([yes, yes, yes, yes, shut, yes, yes], home),
  instanceOverview: row([yes, yes, yes, yes, shut, yes, yes], home),
  instanceLastReported: row([yes, yes, yes, yes, shut, yes, yes], home),
  instanceCapacity: row([yes, yes, yes, yes, shut, yes, yes], home),
  instanceCapacityLastReported: row([yes, yes, yes, yes, shut, yes, yes], home),
  capacityGroups: row([yes, yes, yes, yes, shut, inactive, yes], home),
  findLicences: row([yes, yes, yes, yes, shut, yes, yes], apps),
  licenceOfCustomer: row([yes, yes, yes, yes, shut, inactive, yes], apps),
  getLicence: row([yes, yes, yes, yes, shut, inactive, yes], apps),
  findInstances: row([yes, yes, yes, yes, shut, inactive, yes], apps),
  findMarketLicences: row([yes, yes, yes, yes, shut, yes, yes], apps),
  // Text 1: "Double-click edit of an instance group: SUDOER, EXPERT".
  saveInstance: row([yes, yes, role, role, role, yes, key]),
  // Text 1: "Create, edit, delete alerts: SUDOER, EXPERT". A mute belongs to its user.
  findAlerts: row([yes, yes, yes, yes, shut, inactive, yes], ['dashboard', 'e3App']),
  findTriggered: row([yes, yes, yes, yes, shut, inactive, yes], ['dashboard', 'e3App']),
  notifications: row([yes, yes, yes, yes, shut, yes, yes], ['dashboard', 'e3App']),
  findFaults: row([yes, yes, yes, yes, shut, yes, yes], ['dashboard', 'e3App']),
  getTriggered: row([yes, yes, yes, yes, shut, yes, yes], ['dashboard', 'e3App']),
  findMutes: row([yes, yes, yes, yes, shut, yes, yes], ['dashboard', 'e3App']),
  saveMutes: row([yes, yes, yes, yes, shut, yes, key], ['dashboard', 'e3App']),
  findAnnotations: row([yes, yes, yes, yes, shut, yes, yes], home),
  findChargerAnnotations: row([yes, yes, yes, yes, shut, inactive, yes], ['e3App']),
  findSiteAnnotations: row([yes, yes, role, yes, shut, inactive, key], ['cfmTools']),
  createNote: row([yes, yes, role, role, role, yes, key]),
  updateNote: row([yes, yes, role, role, role, yes, key]),
  removeNote: row([yes, yes, role, role, role, yes, key]),
  createAlert: row([yes, yes, role, role, role, inactive, key]),
  updateAlert: row([yes, yes, role, role, role, yes, key]),
  removeAlert: row([yes, yes, role, role, role, yes, key]),
  acknowledgeTriggered: row([yes, yes, role, role, role, yes, key]),
  acknowledgeSeveral: row([yes, yes, role, role, role, yes, key]),
  findEvents: row([yes, yes, yes, yes, shut, yes, yes], home),
  dashboardEvents: row([yes, yes, yes, yes, shut, yes, yes], home),
  runningEvents: row([yes, yes, yes, yes, shut, yes, yes], home),
  eventExport: row([yes, yes, yes, yes, shut, yes, yes], home),
  eventRecord: row([yes, yes, yes, yes, shut, yes, yes], home),
  eventDataLog: row([yes, yes, yes, yes, shut, yes, yes], home),
  eventCommandLog: row([yes, yes, yes, yes, shut, yes, yes], home),
  controlSheet: row([yes, yes, yes, yes, shut, yes, yes], home),
  // Text 2, section 6: "Only SUDOER and EXPERT can create, edit and delete bid requests".
  findBidRequests: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  getBidRequest: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  createBidRequest: row([yes, yes, role, role, role, inactive, key]),
  updateBidRequest: row([yes, yes, role, role, role, yes, key]),
  removeBidRequest: row([yes, yes, role, role, role, yes, key]),
  withdrawBidRequests: row([yes, yes, role, role, role, yes, key]),
  exportBidRequests: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  importBidRequests: row([yes, yes, role, role, role, yes, key]),
  takeBidResults: row([yes, yes, role, role, role, yes, key]),
  findBidResultFiles: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  bidResultHistory: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  sentBidFile: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  findBidGates: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  bidBasis: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  previewBids: row([yes, yes, role, role, role, yes, key]),
  findBids: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  soldCapacity: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  soldCapacityLastReported: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  findSoldRisks: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  // Text 2, section 6: "Only SUDOER and EXPERT can create tags and groups, toggle active, and edit and delete them; use remote start and stop".
  addChargerTag: row([yes, yes, role, role, role, inactive, key]),
  saveChargerTag: row([yes, yes, role, role, role, inactive, key]),
  findChargerTags: row([yes, yes, yes, yes, shut, inactive, yes], ['e3App']),
  getChargerTag: row([yes, yes, yes, yes, shut, inactive, yes], ['e3App']),
  removeChargerTag: row([yes, yes, role, role, role, inactive, key]),
  moveChargerTags: row([yes, yes, role, role, role, inactive, key]),
  addChargerTagGroup: row([yes, yes, role, role, role, inactive, key]),
  saveChargerTagGroup: row([yes, yes, role, role, role, inactive, key]),
  findChargerTagGroups: row([yes, yes, yes, yes, shut, inactive, yes], ['e3App']),
  removeChargerTagGroup: row([yes, yes, role, role, role, inactive, key]),
  findChargers: row([yes, yes, yes, yes, shut, inactive, yes], ['e3App']),
  chargerOverview: row([yes, yes, yes, yes, shut, inactive, yes], ['e3App']),
  chargerLastReported: row([yes, yes, yes, yes, shut, inactive, yes], ['e3App']),
  findChargerTransactions: row([yes, yes, yes, yes, shut, inactive, yes], ['e3App']),
  getChargerTransaction: row([yes, yes, yes, yes, shut, inactive, yes], ['e3App']),
  reviewSessionEnergy: row([yes, yes, role, role, role, inactive, key]),
  endSession: row([yes, yes, role, role, role, inactive, key]),
  remoteStart: row([yes, yes, role, role, role, inactive, key]),
  remoteStop: row([yes, yes, role, role, role, inactive, key]),
  stopTagSessions: row([yes, yes, role, role, role, inactive, key]),
  stopGroupSessions: row([yes, yes, role, role, role, inactive, key]),
  getChargingChoice: row([yes, yes, yes, yes, shut, inactive, yes], ['e3App']),
  saveChargingChoice: row([yes, yes, role, role, role, inactive, key]),
  fleetDashboard: row([yes, yes, yes, yes, shut, inactive, key], ['cfmdashboard', 'cfm']),
  importChargerTags: row([yes, yes, role, role, role, inactive, key]),
  // Text 2, section 6: "An auditor cannot see the CFM 'tools' route"; service has the permission of start and stop, raw frames are for the
  // sudoer.
  findUnknownChargers: row([yes, yes, role, yes, shut, inactive, key], ['cfmTools']),
  dismissUnknownCharger: row([yes, yes, role, role, role, inactive, key]),
  registerCharger: row([yes, yes, role, role, role, inactive, key]),
  renewChargerSecret: row([yes, yes, role, role, role, inactive, key]),
  findChargerServices: row([yes, yes, role, yes, shut, inactive, key], ['cfmTools']),
  getChargerService: row([yes, yes, role, yes, shut, inactive, key], ['cfmTools']),
  findChargerFrames: row([yes, role, role, role, role, inactive, key]),
  readChargerConfiguration: row([yes, yes, role, role, role, inactive, key]),
  saveChargerConfiguration: row([yes, yes, role, role, role, inactive, key]),
  resetCharger: row([yes, yes, role, role, role, inactive, key]),
  unlockConnector: row([yes, yes, role, role, role, inactive, key]),
  setChargerAvailability: row([yes, yes, role, role, role, inactive, key]),
  triggerCharger: row([yes, yes, role, role, role, inactive, key]),
  updateChargerFirmware: row([yes, yes, role, role, role, inactive, key]),
  askChargerDiagnostics: row([yes, yes, role, role, role, inactive, key]),
  clearChargerCache: row([yes, yes, role, role, role, inactive, key]),
  findChargingSites: row([yes, yes, role, yes, shut, inactive, key], ['cfmTools']),
  addChargingSite: row([yes, yes, role, role, role, inactive, key]),
  saveChargingSite: row([yes, yes, role, role, role, inactive, key]),
  removeChargingSite: row([yes, yes, role, role, role, inactive, key]),
  saveGroupPriorities: row([yes, yes, role, role, role, inactive, key]),
  removeCharger: row([yes, yes, role, role, role, inactive, key]),
  setSiteLimit: row([yes, yes, role, role, role, inactive, key]),
  endSiteLimit: row([yes, yes, role, role, role, inactive, key]),
  chargingSiteChart: row([yes, yes, role, yes, shut, inactive, key], ['cfmTools']),
  // Not in the texts: costs of charging have the permission of sessions, prices that of tags.
  findChargingPrices: row([yes, yes, yes, yes, shut, inactive, yes], ['e3App']),
  saveChargingPrice: row([yes, yes, role, role, role, inactive, key]),
  removeChargingPrice: row([yes, yes, role, role, role, inactive, key]),
  sessionCost: row([yes, yes, yes, yes, shut, inactive, yes], ['e3App']),
  chargingCosts: row([yes, yes, yes, yes, shut, inactive, yes], ['e3App']),
  chargingStatement: row([yes, yes, yes, yes, shut, inactive, yes], ['e3App']),
  // Text 2: "mobilepay needs the CFM mobilepay flag". Reserve and capture have the permission of start; refunds and keys are for the sudoer.
  findPayments: row([yes, yes, yes, yes, shut, inactive, key], ['cfmMobilepay']),
  getPayment: row([yes, yes, yes, yes, shut, inactive, key], ['cfmMobilepay']),
  reservePayment: row([yes, yes, role, role, role, inactive, key]),
  retryCapture: row([yes, yes, role, role, role, inactive, key]),
  releasePayment: row([yes, yes, role, role, role, inactive, key]),
  refundPayment: row([yes, role, role, role, role, inactive, key]),
  paymentAccount: row([yes, role, role, role, role, inactive, key]),
  savePaymentAccount: row([yes, role, role, role, role, inactive, key]),
  // Text 0 names no role for support notes: every user reads them, editors elsewhere write.
  findSupportNotes: row([yes, yes, yes, yes, shut, yes, yes], ['supportNotes']),
  createSupportNote: row([yes, yes, role, role, role, yes, key]),
  updateSupportNote: row([yes, yes, role, role, role, yes, key]),
  // Text 2: "loadShifting needs its enabled flag". All roles read plans and savings; the two privileged roles plan and accept.
  findLoads: row([yes, yes, yes, yes, shut, inactive, yes], ['loadShifting']),
  findPlans: row([yes, yes, yes, yes, shut, inactive, yes], ['loadShifting']),
  makePlan: row([yes, yes, role, role, role, inactive, key]),
  getPlan: row([yes, yes, yes, yes, shut, inactive, yes], ['loadShifting']),
  cancelPlan: row([yes, yes, role, role, role, inactive, key]),
  acceptPlan: row([yes, yes, role, role, role, inactive, key]),
  endPlan: row([yes, yes, role, role, role, inactive, key]),
  planSavings: row([yes, yes, yes, yes, shut, inactive, yes], ['loadShifting']),
  findBacktests: row([yes, yes, yes, yes, shut, inactive, yes], ['loadShifting']),
  makeBacktest: row([yes, yes, role, role, role, inactive, key]),
  getBacktest: row([yes, yes, yes, yes, shut, inactive, yes], ['loadShifting']),
  cancelBacktest: row([yes, yes, role, role, role, inactive, key]),
  findVersions: row([yes, yes, yes, yes, shut, yes, yes], ['versionhistory']),
  powerCost: row([yes, yes, yes, yes, shut, yes, yes], ['nordPool']),
  powerCostDownload: row([yes, yes, yes, yes, shut, yes, yes], ['nordPool']),
  updateTax: row([yes, yes, role, role, role, yes, key]),
  signalTypes: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  pricing: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  bulkDownload: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  lastPrices: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  demandResponseLastReported: row([yes, yes, yes, yes, shut, yes, yes], ['demandResponse']),
  carbonEmission: row([yes, yes, yes, yes, shut, yes, yes], ['carbonemission']),
  carbonLastReported: row([yes, yes, yes, yes, shut, yes, yes], ['carbonemission']),
  ownCarbon: row([yes, yes, yes, yes, shut, yes, yes], ['carbonemission']),
  // Text 0, section 6: "Only sudoer can Add Key. Sudoer and expert see the Actions column and can double-click a group to edit it."
  findMeterGroups: row([yes, yes, yes, yes, shut, inactive, yes], ['dataHub']),
  addMeterGroup: row([yes, role, role, role, role, inactive, key]),
  saveMeterGroup: row([yes, yes, role, role, role, inactive, key]),
  removeMeterGroup: row([yes, yes, role, role, role, inactive, key]),
  saveMeter: row([yes, yes, role, role, role, inactive, key]),
  saveMeterStatus: row([yes, yes, role, role, role, inactive, key]),
  saveMeterStatuses: row([yes, yes, role, role, role, inactive, key]),
  findTariffs: row([yes, yes, yes, yes, shut, inactive, yes], ['dataHub']),
  meterGraph: row([yes, yes, yes, yes, shut, inactive, yes], ['dataHub']),
  meterReadLast: row([yes, yes, yes, yes, shut, inactive, yes], ['dataHub']),
  meterFormula: row([yes, yes, yes, yes, shut, inactive, yes], ['dataHub']),
  dearestHours: row([yes, yes, yes, yes, shut, inactive, yes], ['dataHub']),
  downloadMeters: row([yes, yes, yes, yes, shut, inactive, key], ['dataHub']),
  findScopeReports: row([yes, yes, yes, yes, shut, inactive, yes], ['dataHub']),
  makeScopeReport: row([yes, yes, yes, role, role, inactive, key]),
  getScopeReport: row([yes, yes, yes, yes, shut, inactive, yes], ['dataHub']),
  removeScopeReport: row([yes, yes, role, role, role, inactive, key]),
  scopeReportFile: row([yes, yes, yes, yes, shut, inactive, yes], ['dataHub']),
  dataHubOverview: row([yes, yes, yes, yes, shut, inactive, yes], ['dataHub', 'dashboard', 'e3App']),
  findSettlements: row([yes, yes, yes, yes, shut, yes, yes], ['eConomics']),
  economicsLicences: row([yes, yes, yes, yes, shut, yes, yes], ['eConomics']),
  economicsInstances: row([yes, yes, yes, yes, shut, yes, yes], ['eConomics']),
  settlementFormula: row([yes, yes, yes, yes, shut, yes, yes], ['eConomics']),
  settlementRecord: row([yes, yes, yes, yes, shut, yes, yes], ['eConomics']),
  monthRevenue: row([yes, yes, yes, yes, shut, yes, yes], ['eConomics']),
  compareMonths: row([yes, yes, yes, yes, shut, yes, yes], ['eConomics']),
  takeStatement: row([yes, yes, role, role, role, yes, key]),
  findStatements: row([yes, yes, yes, yes, shut, yes, yes], ['eConomics']),
  getReconciliation: row([yes, yes, yes, yes, shut, yes, yes], ['eConomics']),
  settleDifferences: row([yes, yes, role, role, role, yes, key]),
  settleLines: row([yes, yes, role, role, role, yes, key]),
  reopenDifference: row([yes, yes, role, role, role, yes, key]),
  removeReconciliation: row([yes, yes, role, role, role, yes, key]),
  findStatementMonths: row([yes, yes, yes, yes, shut, yes, yes], ['eConomics']),
  monthlyStatement: row([yes, yes, yes, yes, shut, yes, yes], ['eConomics']),
  findReports: row([yes, yes, role, role, role, yes, key]),
  addReport: row([yes, yes, role, role, role, yes, key]),
  changeReport: row([yes, yes, role, role, role, yes, key]),
  sendReport: row([yes, yes, role, role, role, yes, key]),
  removeReport: row([yes, yes, role, role, role, yes, key]),
  findStatementReaders: row([yes, yes, yes, yes, shut, yes, yes], ['eConomics']),
  addStatementReader: row([yes, yes, role, role, role, yes, key]),
  removeStatementReader: row([yes, yes, role, role, role, yes, key]),
  revenueCalculator: row([yes, yes, yes, yes, shut, yes, yes], ['revenuePotentialCalculator']),
}

const allCalls: Record<string, CallShape> = calls
const guarded = Object.entries(table).flatMap(([name, cells]) => (cells === 'public' ? [] : [[name, cells] as const]))
const open = Object.keys(table).filter((name) => table[name] === 'public')
const everyKey = [...Object.keys(screens), 'nordPool', ...guarded.flatMap(([, cells]) => cells.keys ?? [])]

let app: TestApp
let apiKeyToken: string
beforeAll(async () => {
  app = await openTestApp()
  apiKeyToken = newToken('apiKey')
  const { customer_id, user_id } = await person('sudoer@north.example')
  await app.records.system(async (tx) => {
    await tx
      .insertInto('api_key')
      .values(
        [apiKeyToken, newToken('apiKey')].map((token, i) => ({
          customer_id,
          key_id: newId(Date.now() + i),
          user_id,
          name: 'Golden',
          token_sha256: tokenSha256(token),
          ending: token.slice(-4),
          scopes: [...readScopes],
          created_at: new Date(),
        })),
      )
      .execute()
    await tx.updateTable('customer').set({ true_green: false, bidding_markets: [] }).where('key', '=', 'west').execute()
    const customers = await tx.selectFrom('customer').select('customer_id').execute()
    await tx
      .insertInto('licence')
      .values(
        customers.flatMap((one) =>
          ['evCharging', 'CFM', 'loadShifting'].map((type) => ({
            customer_id: one.customer_id,
            licence_id: newId(),
            type,
            name: type,
            icon: 'bolt',
            enabled: true,
            settings: JSON.stringify({ mobilepay: type === 'CFM' }),
          })),
        ),
      )
      .execute()
    await tx.updateTable('licence').set({ enabled: false }).where('customer_id', '<>', customer_id).execute()
  })
})
afterAll(() => app.close())

/** By id, because a call may change the email. */
const people = new Map<string, { customer_id: string; user_id: string }>()
const person = async (email: string) => {
  const known = people.get(email)
  if (known) return known
  const found = await app.records.system((tx) =>
    tx.selectFrom('app_user').select(['customer_id', 'user_id']).where('email', '=', email).executeTakeFirstOrThrow(),
  )
  people.set(email, found)
  return found
}

const sessions = new Map<string, { key: string; token: string }>()
const sessionOf = async (email: string, allowed: string[] = []): Promise<string> => {
  const key = allowed.join(' ')
  const open = sessions.get(email)
  if (open?.key === key) return open.token
  const { customer_id: customerId, user_id: userId } = await person(email)
  const token = await app.records.system(async (tx) => {
    await tx
      .updateTable('app_user')
      .set({ allowed: JSON.stringify(Object.fromEntries(allowed.map((one) => [one, true]))) })
      .where('user_id', '=', userId)
      .execute()
    return addSession(tx, {
      customerId,
      userId,
      remembered: false,
      nowMs: Date.now(),
      userAgent: undefined,
      address: '::1',
    })
  })
  forgetViewers()
  sessions.set(email, { key, token })
  return token
}

const unknownId = '018f0000-0000-7000-8000-000000000000'
const gateSentences: (string | undefined)[] = [
  role,
  shut,
  key,
  m.wallRefused,
  m.licenseNotActive,
  m.jwtMalformed,
  m.sessionEnded,
]

const idsByCustomer = new Map<string, Record<string, string>>()

/** 'yes' when the call is permitted, whatever its answer; otherwise the refusal message. */
const asked = async (name: string, token: string | undefined, customer = 'north'): Promise<string> => {
  const call = allCalls[name]
  if (!call) throw new Error(`${name} is no call`)
  const ids = idsByCustomer.get(customer) ?? (await app.records.system((tx) => idsOf(tx, customer)))
  idsByCustomer.set(customer, ids)
  const request = validRequest(name, call, (ref) => ids[ref] ?? unknownId)
  const { status, body } = await app.ask(call, { ...(token ? { token } : {}), ...request })
  expect(status, name).toBeLessThan(500)
  if (call.method !== 'GET' && status < 400) {
    idsByCustomer.clear()
    sessions.clear()
  }
  const isRefused = (status === 401 || status === 403) && gateSentences.includes(body.message)
  return isRefused ? String(body.message) : yes
}

test('R2 every call has its row, and every row its call', () => {
  expect(Object.keys(table).toSorted()).toEqual(Object.keys(calls).toSorted())
})

describe('R2 without a token', () => {
  test.each(open)('%s is open', async (name) => {
    expect(await asked(name, undefined)).toBe(yes)
  })
  test.each(guarded)('%s is closed', async (name) => {
    expect(await asked(name, undefined)).toBe('jwt malformed')
  })
})

describe.each(['sudoer', 'expert', 'auditor'] as const)('R2 the %s', (who) => {
  test.each(guarded)('%s', async (name, cells) => {
    expect(await asked(name, await sessionOf(`${who}@north.example`))).toBe(cells[who])
  })
})

describe('R2 a custom user', () => {
  test.each(guarded)('%s', async (name, cells) => {
    const ask = async (allowed: string[]) => asked(name, await sessionOf('custom@north.example', allowed))
    for (const one of cells.keys ?? everyKey.slice(0, 1)) expect(await ask([one]), one).toBe(cells.custom)
    const others = everyKey.filter((one) => !cells.keys?.includes(one))
    expect(await ask(others)).toBe(cells.customWithout)
    expect(await ask([])).toBe(cells.customWithout)
  })
})

describe('R2 the sudoer of a customer without trueGreen, licences and markets', () => {
  test.each(guarded)('%s', async (name, cells) => {
    expect(await asked(name, await sessionOf('sudoer@west.example'), 'west')).toBe(cells.bare)
  })
})

describe('R2 an API key with every scope', () => {
  test.each(guarded)('%s', async (name, cells) => {
    await sessionOf('sudoer@north.example')
    expect(await asked(name, apiKeyToken)).toBe(cells.apiKey)
  })
})

/** Nothing else is open to a screen that anybody may stand in front of: no write, no list, no file, no name or email of a user. */
const onWalls = [
  'verify',
  'live',
  'energyNow',
  'frequencySeries',
  'powerCost',
  'findFaults',
  'findSoldRisks',
  'runningEvents',
]
describe('R2 a wall screen of a sudoer', () => {
  let wall: string
  beforeAll(async () => {
    const { customer_id: customerId, user_id: userId } = await person('sudoer@north.example')
    const session = { customerId, userId, remembered: false, wallName: 'Control room', nowMs: Date.now() }
    wall = await app.records.system((tx) => addSession(tx, { ...session, userAgent: undefined, address: '::1' }))
  })
  test.each(guarded.filter(([name]) => name !== 'logout'))('%s', async (name) => {
    expect(await asked(name, wall)).toBe(onWalls.includes(name) ? yes : m.wallRefused)
  })
  test.each(onWalls)('%s reads', (name) => {
    expect(allCalls[name]?.method).toBe('GET')
  })
  test.each(onWalls.filter((name) => allCalls[name]?.query && 'format' in allCalls[name].query.shape))(
    '%s answers no file',
    async (name) => {
      const call = allCalls[name] as CallShape // of the list
      const ids = await app.records.system((tx) => idsOf(tx, 'north'))
      const request = validRequest(name, call, (ref) => ids[ref] ?? unknownId)
      const file = { ...request, query: { ...request.query, format: 'xlsx' } }
      expect(await app.ask(call, { token: wall, ...file })).toMatchObject({
        status: 403,
        body: { message: m.wallRefused },
      })
      expect((await app.ask(call, { token: await sessionOf('sudoer@north.example'), ...file })).status).toBe(200)
    },
  )
})

test('every call of the contract has a route, and no route is without a call', () => {
  expect(new Set(routes.map((route) => route.call))).toEqual(new Set(Object.values(calls)))
})

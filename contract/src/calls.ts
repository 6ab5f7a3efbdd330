import * as alerts from './alerts.ts'
import * as apiKeys from './api-keys.ts'
import * as audit from './audit.ts'
import * as auth from './auth.ts'
import type { CallShape } from './call.ts'
import * as capacity from './capacity.ts'
import * as carbon from './carbon.ts'
import * as customer from './customer.ts'
import * as emailSubscriptions from './email-subscriptions.ts'
import * as equipment from './equipment.ts'
import * as events from './events.ts'
import * as frequency from './frequency.ts'
import * as instances from './instances.ts'
import * as licences from './licences.ts'
import * as live from './live.ts'
import * as prices from './prices.ts'
import * as profile from './profile.ts'
import * as revenueCalculator from './revenue-calculator.ts'
import * as supportNotes from './support-notes.ts'
import * as system from './system.ts'
import * as versions from './versions.ts'
import * as webhooks from './webhooks.ts'

/** Every call of the API by name: OpenAPI, the docs page and the generated tests walk this list. */
export const calls = {
  login: auth.login,
  loginSecondFactor: auth.loginSecondFactor,
  loginLink: auth.loginLink,
  handoff: auth.handoff,
  requestAccount: auth.requestAccount,
  resetPassword: auth.resetPassword,
  resendOtp: auth.resendOtp,
  resetWithOtp: auth.resetWithOtp,
  verify: auth.verify,
  logout: auth.logout,
  logoutAll: auth.logoutAll,
  sessions: auth.sessions,
  revokeSession: auth.revokeSession,
  profile: profile.profile,
  updateProfile: profile.updateProfile,
  confirmEmail: profile.confirmEmail,
  undoEmail: profile.undoEmail,
  saveLanguage: profile.saveLanguage,
  updatePassword: profile.updatePassword,
  beginSecondFactor: profile.beginSecondFactor,
  confirmSecondFactor: profile.confirmSecondFactor,
  removeSecondFactor: profile.removeSecondFactor,
  updateDetails: customer.updateDetails,
  saveDashboard: customer.saveDashboard,
  requireSecondFactor: customer.requireSecondFactor,
  findApiKeys: apiKeys.findApiKeys,
  addApiKey: apiKeys.addApiKey,
  revokeApiKey: apiKeys.revokeApiKey,
  findWebhooks: webhooks.findWebhooks,
  addWebhook: webhooks.addWebhook,
  saveWebhook: webhooks.saveWebhook,
  removeWebhook: webhooks.removeWebhook,
  testWebhook: webhooks.testWebhook,
  findWebhookDeliveries: webhooks.findWebhookDeliveries,
  retryWebhookDelivery: webhooks.retryWebhookDelivery,
  findAudit: audit.findAudit,
  verifyAudit: audit.verifyAudit,
  frequencySeries: frequency.frequencySeries,
  frequencyLastReported: frequency.frequencyLastReported,
  lastFrequencies: frequency.lastFrequencies,
  setPointSeries: frequency.setPointSeries,
  powerCapacity: capacity.powerCapacity,
  powerCapacitySum: capacity.powerCapacitySum,
  powerCapacityLastReported: capacity.powerCapacityLastReported,
  instanceOverview: capacity.instanceOverview,
  instanceLastReported: capacity.instanceLastReported,
  instanceCapacity: capacity.instanceCapacity,
  instanceCapacityLastReported: capacity.instanceCapacityLastReported,
  capacityGroups: capacity.capacityGroups,
  findLicences: licences.findLicences,
  licenceOfCustomer: licences.licenceOfCustomer,
  getLicence: licences.getLicence,
  findInstances: licences.findInstances,
  findMarketLicences: licences.findMarketLicences,
  saveInstance: instances.saveInstance,
  findEmailSubscriptions: emailSubscriptions.findEmailSubscriptions,
  addEmailSubscriptions: emailSubscriptions.addEmailSubscriptions,
  setEmailSubscription: emailSubscriptions.setEmailSubscription,
  removeEmailSubscription: emailSubscriptions.removeEmailSubscription,
  unsubscribe: emailSubscriptions.unsubscribe,
  controlEquipment: equipment.controlEquipment,
  equipmentSeries: equipment.equipmentSeries,
  signalLastReported: equipment.signalLastReported,
  findAlerts: alerts.findAlerts,
  createAlert: alerts.createAlert,
  updateAlert: alerts.updateAlert,
  removeAlert: alerts.removeAlert,
  findTriggered: alerts.findTriggered,
  notifications: alerts.notifications,
  getTriggered: alerts.getTriggered,
  acknowledgeTriggered: alerts.acknowledgeTriggered,
  findMutes: alerts.findMutes,
  saveMutes: alerts.saveMutes,
  findEvents: events.findEvents,
  dashboardEvents: events.dashboardEvents,
  runningEvents: events.runningEvents,
  eventExport: events.eventExport,
  eventDataLog: events.eventDataLog,
  eventCommandLog: events.eventCommandLog,
  controlSheet: events.controlSheet,
  powerCost: prices.powerCost,
  powerCostDownload: prices.powerCostDownload,
  updateTax: prices.updateTax,
  signalTypes: prices.signalTypes,
  pricing: prices.pricing,
  bulkDownload: prices.bulkDownload,
  lastPrices: prices.lastPrices,
  demandResponseLastReported: prices.demandResponseLastReported,
  carbonEmission: carbon.carbonEmission,
  carbonLastReported: carbon.carbonLastReported,
  ownCarbon: carbon.ownCarbon,
  revenueCalculator: revenueCalculator.revenueCalculator,
  findSupportNotes: supportNotes.findSupportNotes,
  createSupportNote: supportNotes.createSupportNote,
  updateSupportNote: supportNotes.updateSupportNote,
  findVersions: versions.findVersions,
  live: live.live,
  systemStatus: system.systemStatus,
  health: system.health,
  openApi: system.openApi,
  docs: system.docs,
} satisfies Record<string, CallShape>

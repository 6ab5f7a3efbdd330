const apps = new Map(Object.entries({ dataHub: 'Data Hub', evCharging: 'EV Charging', loadShifting: 'Load Shifting' }))

/** Reserve markets are not translated. */
export const licenceTitle = (type: string): string => apps.get(type) ?? type

import NotConnected from '#pages/not-connected/NotConnected.tsx'

const AuditTrail = () => <NotConnected />

export default AuditTrail

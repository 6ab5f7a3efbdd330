import NotConnected from '#pages/not-connected/NotConnected.tsx'

const ApiKeys = () => <NotConnected />

export default ApiKeys

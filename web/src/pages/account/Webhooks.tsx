import NotConnected from '#pages/not-connected/NotConnected.tsx'

const Webhooks = () => <NotConnected />

export default Webhooks

import NotConnected from '#pages/not-connected/NotConnected.tsx'

const Security = () => <NotConnected />

export default Security

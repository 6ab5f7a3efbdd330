import NotConnected from '#pages/not-connected/NotConnected.tsx'

const Company = () => <NotConnected />

export default Company

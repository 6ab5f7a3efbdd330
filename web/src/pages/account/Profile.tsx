import NotConnected from '#pages/not-connected/NotConnected.tsx'

const Profile = () => <NotConnected />

export default Profile

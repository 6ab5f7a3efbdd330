const Components = () => null
export default Components

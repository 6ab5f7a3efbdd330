// Read by React's development build as it loads: no marks in the browser's timeline, no asynchronous stack for each element.
Reflect.deleteProperty(console, 'createTask')
Reflect.deleteProperty(console, 'timeStamp')

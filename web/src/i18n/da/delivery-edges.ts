export default {
  'An edge gateway sends the measurements of your equipment and receives its commands.':
    'En edge-enhed sender målinger fra jeres anlæg og modtager kommandoer til dem.',
  'The edge gateways could not be loaded.': 'Edge-enhederne kunne ikke hentes.',
  'Add the first edge gateway of your company.': 'Tilføj jeres første edge-enhed.',
  'New edge gateway': 'Ny edge-enhed',
  'Add edge gateway': 'Tilføj edge-enhed',
  'Secret of the edge gateway': 'Edge-enhedens nøgle',
  'Secret of an edge gateway': 'Nøgle',
  'Where the edge gateway is installed, such as “cold store north”.': 'Hvor enheden sidder, fx »Fryselager nord«.',
  'The edge gateway signs in with this secret. It is shown only once; if you lose it, create a new one.':
    'Edge-enheden logger ind med denne nøgle. Den vises kun én gang. Mister I den, skal I oprette en ny.',
  'For the commands of the first message': 'Til kommandoerne for den første besked',
  'Renew the secret?': 'Forny nøglen?',
  'Renew secret': 'Forny nøgle',
  'Renew secret of {{name}}': 'Forny nøgle til {{name}}',
  '{{name}} is disconnected at once and needs the new secret to connect again.':
    'Forbindelsen til {{name}} afbrydes straks, og enheden skal bruge den nye nøgle for at forbinde igen.',
  'Disable this edge gateway?': 'Deaktivér edge-enheden?',
  '{{name}} is disconnected at once, and its messages are refused.':
    'Forbindelsen til {{name}} afbrydes straks, og dens beskeder afvises.',
  Disable: 'Deaktivér',
  Enable: 'Aktivér',
  'Disable {{name}}': 'Deaktivér {{name}}',
  'Enable {{name}}': 'Aktivér {{name}}',
  Connected: 'Forbundet',
  Disabled: 'Deaktiveret',
  'User name': 'Brugernavn',
  'Last report': 'Seneste rapport',
  'Managed by': 'Administreres af',
  'Your company': 'Jeres virksomhed',
  'The operator': 'Operatøren',
  'Instances of {{name}}': 'Anlæg på {{name}}',
  'New instance': 'Nyt anlæg',
  'Add instance': 'Tilføj anlæg',
  'No instances yet': 'Ingen anlæg endnu',
  'Add an instance. Then send its first message with one of the commands.':
    'Tilføj et anlæg. Send derefter dets første besked med en af kommandoerne.',
  'A group of devices that is sold together, such as “compressors 1–4”.':
    'En gruppe enheder, der sælges samlet, fx »Kompressor 1–4«.',
  'Cold store': 'Køle- eller fryselager',
  'Electric vehicles': 'Elbiler',
  'Heat pump': 'Varmepumpe',
  Logistics: 'Logistik',
  'Other equipment': 'Andet',
  'Flexible power': 'Fleksibel effekt',
  'The most that the instance can reduce, increase or store.': 'Det mest, anlægget kan skrue ned, op eller lagre.',
  'Your company has no license for a market yet.': 'Jeres virksomhed har endnu ingen licens til et marked.',
  'Waiting for the first message …': 'Venter på den første besked …',
  'No contract: no bid is placed without custom bidding, and revenue cannot be shared. Your operator adds it.':
    'Ingen kontrakt: Der bydes ikke uden egne bud, og omsætningen kan ikke fordeles. Operatøren opretter den.',
  'No frequency measured: activations cannot be detected or scored. The edge gateway sends it in the field f.':
    'Ingen målt frekvens: Aktiveringer kan ikke registreres eller bedømmes. Edge-enheden sender den i feltet f.',
  'No frequency signal of this area: charts show the frequency of another area, or none. Your operator adds it.':
    'Intet frekvenssignal for prisområdet: Grafer viser frekvensen fra et andet område eller ingen. Operatøren opretter det.',
  'Send a first message': 'Send en første besked',
  'Command for {{program}}': 'Kommando til {{program}}',
  'Each command reads the secret from the variable EDGE_SECRET.':
    'Alle kommandoer læser nøglen fra variablen EDGE_SECRET.',
  'The connection is not encrypted: use it in your own network only.':
    'Forbindelsen er ikke krypteret: brug den kun i jeres eget netværk.',
  'Host name': 'Værtsnavn',
  Port: 'Port',
  'Topic of the message': 'Emne (topic)',
  Program: 'Program',
  'Refused in the last hour': 'Afvist den seneste time',
  'The refused messages could not be loaded.': 'De afviste beskeder kunne ikke hentes.',
  'Connections with an unknown user name cannot be listed here.':
    'Forbindelser med ukendt brugernavn kan ikke vises her.',
  'Last time': 'Senest',
  'Reason of the refusal': 'Årsag',
  'Number of times': 'Antal',
  'Wrong secret. Use the newest secret of this edge gateway.': 'Forkert nøgle. Brug edge-enhedens nyeste nøgle.',
  'Too many failed sign-ins. Wait a minute and use the newest secret.':
    'For mange mislykkede login. Vent et minut, og brug den nyeste nøgle.',
  'More than 10 connections at the same time. Close some of them.':
    'Mere end 10 forbindelser på én gang. Luk nogle af dem.',
  'Wrong topic. Publish to the topic of an instance.': 'Forkert emne. Send til emnet for et af anlæggene.',
  'Wrong subscription. Subscribe only to topics of this edge gateway.':
    'Forkert abonnement. Abonnér kun på edge-enhedens egne emner.',
  'Wrong quality of service. Publish with level 1.': 'Forkert servicekvalitet (QoS). Send med niveau 1.',
  'Message too large. The limit is 65,536 bytes.': 'Beskeden er for stor. Grænsen er 65.536 byte.',
  'Too many messages. The limit is 100 per second.': 'For mange beskeder. Grænsen er 100 i sekundet.',
  'Too many unacknowledged messages. Wait for the acknowledgements.':
    'For mange ubekræftede beskeder. Vent på bekræftelserne.',
  'The message could not be stored. Send it again.': 'Beskeden kunne ikke gemmes. Send den igen.',
  'Wrong protocol version. Use MQTT 3.1.1.': 'Forkert protokolversion. Brug MQTT 3.1.1.',
  'Unknown instance in the topic. Use the key of an instance.':
    'Ukendt anlæg i emnet. Brug nøglen for et af anlæggene.',
  'The message is not valid JSON.': 'Beskeden er ikke gyldig JSON.',
  'The field v is missing. It must be 1.': 'Feltet v mangler. Det skal være 1.',
  'The field t0 is not a UTC time such as 2026-11-20T10:00:00.000Z.':
    'Feltet t0 er ikke et UTC-tidspunkt som 2026-11-20T10:00:00.000Z.',
  'The field seq is missing. It must be a whole number.': 'Feltet seq mangler. Det skal være et helt tal.',
  'The field dtMs is missing or invalid. It must be 1 to 3,600,000.':
    'Feltet dtMs mangler eller er ugyldigt. Det skal være 1 til 3.600.000.',
  'The lists of values differ in length.': 'Listerne med værdier er ikke lige lange.',
  'The message contains no known signal. Send at least f or p.':
    'Beskeden indeholder intet kendt signal. Send mindst f eller p.',
  'The time is more than 5 minutes ahead. Check the clock of the edge gateway.':
    'Tidspunktet er mere end 5 minutter fremme. Tjek edge-enhedens ur.',
  'The time is too far in the past. Check the clock of the edge gateway.':
    'Tidspunktet ligger for langt tilbage. Tjek edge-enhedens ur.',
  'The response names an unknown command.': 'Svaret nævner en ukendt kommando.',
  'Invalid message: {{reason}}': 'Ugyldig besked: {{reason}}',
}

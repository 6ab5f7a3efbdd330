import { chromium } from 'playwright'
const base='http://localhost:3430'
const r = await fetch(base+'/api/user/login',{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({user:{email:'sudoer@nordhavn.example',password:'gridmast-demo'}})})
const token=(await r.json()).data.token
const browser=await chromium.launch({executablePath:'/usr/bin/chromium-headless-shell',args:['--no-sandbox']})
const open=async(w,scheme,lang)=>{const c=await browser.newContext({viewport:{width:w,height:w===390?844:820},colorScheme:scheme}); await c.addInitScript(([t,l])=>{localStorage.setItem('GM_TOKEN',t);localStorage.setItem('GM_LANGUAGE',l)},[token,lang]); const p=await c.newPage(); p.setDefaultTimeout(120000); p.on('pageerror',e=>console.log(String(e))); return p}
const p=await open(1440,'dark','da')
await p.goto(base+'/reports'); await p.getByText('Recipients').first().waitFor(); await p.waitForTimeout(1500)
await p.screenshot({path:'/tmp/rep-wide-dark-da.png'})
await p.setViewportSize({width:390,height:844}); await p.waitForTimeout(1500); await p.screenshot({path:'/tmp/rep-phone-dark-da.png'})
await p.setViewportSize({width:1440,height:820})
await p.locator('[data-print=head]').waitFor({state:'attached'})
const print=async(name)=>{await p.pdf({path:`/tmp/rep-${name}.pdf`,preferCSSPageSize:true}); await p.setViewportSize({width:703,height:1030}); await p.emulateMedia({media:'print'}); await p.evaluate(()=>window.dispatchEvent(new Event('beforeprint'))); await p.waitForTimeout(2500); await p.screenshot({path:`/tmp/rep-print-${name}.png`,fullPage:true}); await p.evaluate(()=>window.dispatchEvent(new Event('afterprint'))); await p.emulateMedia({media:'screen'}); await p.setViewportSize({width:1440,height:820}); console.log(name, new Date().toISOString())}
await print('reports')
await p.evaluate(()=>{history.pushState(null,'','/audit');window.dispatchEvent(new PopStateEvent('popstate'))}); await p.getByRole('table').first().waitFor(); await p.waitForTimeout(3000); await print('audit')
await p.evaluate(()=>{history.pushState(null,'','/');window.dispatchEvent(new PopStateEvent('popstate'))}); await p.locator('canvas').first().waitFor(); await p.waitForTimeout(6000); await print('home')
const q=await open(1440,'light','en')
await q.goto(base+'/reports?add=%2Fclient%2Fdata%2Fevent%3Fmarket%3DFCR-D-INC'); await q.getByRole('dialog').waitFor(); await q.waitForTimeout(1500); await q.screenshot({path:'/tmp/rep-dialog-light-en.png'})
await browser.close()

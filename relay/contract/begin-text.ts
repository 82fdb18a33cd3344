// Written by `npm run contract` from widget/begin.ts. An edit here is lost.

/**
 * The text of a script tag behind the element's tag. It asks for the checkout and the texts while
 * the element's script is still loading.
 */
export const BEGIN_TEXT = [
  '(()=>{var e=Symbol.for(`pay-checkout-begun`),t=e=>Reflect.get(Document.proto',
  'type,e,document),r=/^(.*)\\/pay-checkout(\\.[0-9a-f]+)?\\.js$/,n=e=>e.getAttrib',
  'ute(`data-relay`)??(e=>r.exec(e.src.split(/[?#]/)[0]??``)?.[1]??null)(e),o=[',
  '`orderToken`,`sku`,`quantity`,`amount`,`currency`,`payCurrency`,`productName',
  '`,`remark`,`customerRefId`,`returnUrl`,`deposit`,`depositToken`],c=e=>!!e,u=',
  '(e,t)=>({wrong:{attribute:e,message:t}}),s=(e,...t)=>Object.fromEntries(t.fl',
  'atMap(t=>{let r=e[t];return c(r)?[[t.replace(/[A-Z]/g,e=>`_${e.toLowerCase()',
  '}`),r]]:[]})),i=[`orderToken`,`sku`,`amount`,`deposit`],l=/^(customerRefId|r',
  'eturnUrl)$/,a=Symbol.for(`pay-checkout-loaded`),d=Reflect.get(globalThis,a),',
  'm=d instanceof Map?d:new Map;Reflect.set(globalThis,a,m);var f=(()=>{if(type',
  'of document>`u`)return null;let e=Document.prototype.querySelectorAll.call(d',
  'ocument,`script[src]`);for(let r of[t(`currentScript`),...e]){let e=r instan',
  'ceof HTMLScriptElement?n(r):null;if(e!==null)return e}return null})(),p=e=>/',
  '^pay-checkout:(?!(choice|wallet)$)/.test(e),y=e=>e.fetch?null:((e,t)=>{let r',
  '=/^http/.test(location.href)?location.href:t,n=e===null?null:((e,t)=>{try{re',
  'turn new URL(e,t)}catch{return null}})(e||`/`,r);return n&&n.href.replace(/\\',
  '/+$/,``)})(e.getAttribute(`relay`)?.trim()??f,e.baseURI);function b(e,t){let',
  ' r=new AbortController;return setTimeout(()=>r.abort(),15e3),fetch(e,{...t,c',
  'redentials:`omit`,signal:r.signal})}function k(e){let t=y(e),r=t+(e=>`/local',
  'es/${e.replace(/[^\\w-]/g,``).slice(0,35)}.json`)(e.getAttribute(`locale`)?.t',
  'rim()||(e=>{let t=e.closest(`[lang]`);return t&&Element.prototype.getAttribu',
  'te.call(t,`lang`)?.trim()||`en`})(e));if(t===null||m.has(r))return;let n=b(r',
  ').then(e=>e.ok?e.json():Promise.reject());m.set(r,n),n.catch(()=>m.delete(r)',
  ')}function h(t){let r={};for(let e of o)r[e]=t.getAttribute(e.replace(/[A-Z]',
  '/g,`-$&`).toLowerCase())?.trim()??null;let n=(e=>{let[t,r]=i.filter(t=>c(e[t',
  ']));if(r!==void 0)return u(r,`contradicts ${t===`orderToken`?`order-token`:t',
  '}`);switch(t){case`orderToken`:return{subject:{intent:s(e,`orderToken`,`retu',
  'rnUrl`)}};case`sku`:{if(c(e.currency))return u(`currency`,`is not allowed be',
  'side sku`);if(c(e.quantity)&&!/^\\d{1,4}$/.test(e.quantity))return u(`quantit',
  'y`,`"${e.quantity}" is not a whole number`);let t=c(e.quantity)?{quantity:Nu',
  'mber(e.quantity)}:{};return{subject:{intent:{...s(e,`sku`,`customerRefId`,`r',
  'eturnUrl`),...t}}}}case`amount`:return c(e.quantity)?u(`quantity`,`is not al',
  'lowed beside amount`):c(e.currency)?c(e.productName)?{subject:{intent:s(e,`a',
  'mount`,`currency`,`payCurrency`,`productName`,`remark`,`customerRefId`,`retu',
  'rnUrl`)}}:u(`product-name`,`is required beside amount`):u(`currency`,`is req',
  'uired beside amount`);case`deposit`:return c(e.depositToken)||c(e.customerRe',
  'fId)?{subject:{deposit:{currency:e.deposit??``,...s(e,`depositToken`,`custom',
  'erRefId`)}}}:u(`deposit-token`,`or customer-ref-id is required beside deposi',
  't`);default:return o.some(t=>c(e[t])&&!l.test(t))?u(`order-token`,`or sku, a',
  'mount or deposit is required`):null}})(r),a=y(t);if(!n||!(`subject`in n)||!(',
  '`intent`in n.subject)||a===null||e in t||t.querySelector(`script`)||!r.order',
  'Token?.includes(`.`)&&Object.keys(localStorage).some(p))return;let d=JSON.st',
  'ringify(n.subject.intent),m=b(a+`/v1/checkout`,{method:`POST`,body:d});m.cat',
  'ch(()=>{}),Object.assign(t,{[e]:{relay:a,intent:d,response:m}})}if(globalThi',
  's.document&&!customElements.get(`pay-checkout`))for(let e of[...Document.pro',
  'totype.querySelectorAll.call(document,`pay-checkout`)])for(let t of[h,k])try',
  '{t(e)}catch{}})();',
].join('');

/** Names the text in a content security policy. */
export const BEGIN_HASH = 'sha256-iI6BkTr6tkl5uMiUlGamhOj3i/MPox0Uk/TsUO2WdnY=';

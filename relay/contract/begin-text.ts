// Written by `npm run contract` from widget/begin.ts. An edit here is lost.

/**
 * The text of a script tag behind the element's tag. It asks for the checkout while the element's
 * script is still loading.
 */
export const BEGIN_TEXT = [
  '(()=>{var e=Symbol.for(`pay-checkout-begun`),t=e=>Reflect.get(Document.proto',
  'type,e,document),r=/^(.*)\\/pay-checkout(\\.[0-9a-f]+)?\\.js$/,n=e=>e.getAttrib',
  'ute(`data-relay`)??(e=>r.exec(e.src.split(/[?#]/)[0]??``)?.[1]??null)(e),o=[',
  '`orderToken`,`sku`,`quantity`,`amount`,`currency`,`payCurrency`,`productName',
  '`,`remark`,`customerRefId`,`returnUrl`,`deposit`,`depositToken`],u=e=>!!e,c=',
  '(e,t)=>({wrong:{attribute:e,message:t}}),s=e=>e.replace(/[A-Z]/g,e=>`_${e.to',
  'LowerCase()}`),i=(e,...t)=>Object.fromEntries(t.flatMap(t=>{let r=e[t];retur',
  'n u(r)?[[s(t),r]]:[]})),a=[[`order-token`,`orderToken`],[`sku`,`sku`],[`amou',
  'nt`,`amount`],[`deposit`,`deposit`]],l=/^(customerRefId|returnUrl)$/,d=(()=>',
  '{if(typeof document>`u`)return null;let e=Document.prototype.querySelectorAl',
  'l.call(document,`script[src]`);for(let r of[t(`currentScript`),...e]){let e=',
  'r instanceof HTMLScriptElement?n(r):null;if(e!==null)return e}return null})(',
  '),m=e=>/^pay-checkout:(?!(choice|wallet)$)/.test(e);function p(t){let r={};f',
  'or(let e of o)r[e]=t.getAttribute(e.replace(/[A-Z]/g,`-$&`).toLowerCase())?.',
  'trim()??null;let n=(e=>{let[t,r]=a.filter(([,t])=>u(e[t])).map(([e])=>e);if(',
  'r!==void 0)return c(r,`contradicts ${t??``}`);switch(t){case`order-token`:re',
  'turn{subject:{intent:i(e,`orderToken`,`returnUrl`)}};case`sku`:{if(u(e.curre',
  'ncy))return c(`currency`,`is not allowed beside sku`);if(u(e.quantity)&&!/^\\',
  'd{1,4}$/.test(e.quantity))return c(`quantity`,`"${e.quantity}" is not a whol',
  'e number`);let t=u(e.quantity)?{quantity:Number(e.quantity)}:{};return{subje',
  'ct:{intent:{...i(e,`sku`,`customerRefId`,`returnUrl`),...t}}}}case`amount`:r',
  'eturn u(e.quantity)?c(`quantity`,`is not allowed beside amount`):u(e.currenc',
  'y)?u(e.productName)?{subject:{intent:i(e,`amount`,`currency`,`payCurrency`,`',
  'productName`,`remark`,`customerRefId`,`returnUrl`)}}:c(`product-name`,`is re',
  'quired beside amount`):c(`currency`,`is required beside amount`);case`deposi',
  't`:return u(e.depositToken)||u(e.customerRefId)?{subject:{deposit:{currency:',
  'e.deposit??``,...i(e,`depositToken`,`customerRefId`)}}}:c(`deposit-token`,`o',
  'r customer-ref-id is required beside deposit`);default:return o.some(t=>u(e[',
  't])&&!l.test(t))?c(`order-token`,`or sku, amount or deposit is required`):nu',
  'll}})(r),s=((e,t)=>{let r=/^http/.test(location.href)?location.href:t,n=e===',
  'null?null:((e,t)=>{try{return new URL(e,t)}catch{return null}})(e||`/`,r);re',
  'turn n&&n.href.replace(/\\/+$/,``)})(t.getAttribute(`relay`)?.trim()??d,t.bas',
  'eURI);if(!n||!(`subject`in n)||!(`intent`in n.subject)||s===null||t.querySel',
  'ector(`script`)||t.fetch||!r.orderToken?.includes(`.`)&&Object.keys(localSto',
  'rage).some(m))return;let p=JSON.stringify(n.subject.intent),y=new AbortContr',
  'oller;setTimeout(()=>y.abort(),1e4);let f=fetch(s+`/v1/checkout`,{method:`PO',
  'ST`,body:p,credentials:`omit`,signal:y.signal});f.catch(()=>{}),Object.assig',
  'n(t,{[e]:{relay:s,intent:p,response:f}})}if(globalThis.document&&!customElem',
  'ents.get(`pay-checkout`))for(let t of[...Document.prototype.querySelectorAll',
  '.call(document,`pay-checkout`)])try{e in t||p(t)}catch{}})();',
].join('');

/** Names the text in a content security policy. */
export const BEGIN_HASH = 'sha256-/PID7Dojx1sg5c1in5rVBHNZ+LNimF/Ts0a4MYhvSOs=';

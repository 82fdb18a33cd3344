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
  '(e,t)=>({wrong:{attribute:e,message:t}}),s=(e,...t)=>Object.fromEntries(t.fl',
  'atMap(t=>{let r=e[t];return u(r)?[[t.replace(/[A-Z]/g,e=>`_${e.toLowerCase()',
  '}`),r]]:[]})),i=[[`order-token`,`orderToken`],[`sku`,`sku`],[`amount`,`amoun',
  't`],[`deposit`,`deposit`]],a=/^(customerRefId|returnUrl)$/,l=(()=>{if(typeof',
  ' document>`u`)return null;let e=Document.prototype.querySelectorAll.call(doc',
  'ument,`script[src]`);for(let r of[t(`currentScript`),...e]){let e=r instance',
  'of HTMLScriptElement?n(r):null;if(e!==null)return e}return null})(),d=e=>/^p',
  'ay-checkout:(?!(choice|wallet)$)/.test(e);function m(t){let r={};for(let e o',
  'f o)r[e]=t.getAttribute(e.replace(/[A-Z]/g,`-$&`).toLowerCase())?.trim()??nu',
  'll;let n=(e=>{let[t,r]=i.filter(([,t])=>u(e[t])).map(([e])=>e);if(r!==void 0',
  ')return c(r,`contradicts ${t??``}`);switch(t){case`order-token`:return{subje',
  'ct:{intent:s(e,`orderToken`,`returnUrl`)}};case`sku`:{if(u(e.currency))retur',
  'n c(`currency`,`is not allowed beside sku`);if(u(e.quantity)&&!/^\\d{1,4}$/.t',
  'est(e.quantity))return c(`quantity`,`"${e.quantity}" is not a whole number`)',
  ';let t=u(e.quantity)?{quantity:Number(e.quantity)}:{};return{subject:{intent',
  ':{...s(e,`sku`,`customerRefId`,`returnUrl`),...t}}}}case`amount`:return u(e.',
  'quantity)?c(`quantity`,`is not allowed beside amount`):u(e.currency)?u(e.pro',
  'ductName)?{subject:{intent:s(e,`amount`,`currency`,`payCurrency`,`productNam',
  'e`,`remark`,`customerRefId`,`returnUrl`)}}:c(`product-name`,`is required bes',
  'ide amount`):c(`currency`,`is required beside amount`);case`deposit`:return ',
  'u(e.depositToken)||u(e.customerRefId)?{subject:{deposit:{currency:e.deposit?',
  '?``,...s(e,`depositToken`,`customerRefId`)}}}:c(`deposit-token`,`or customer',
  '-ref-id is required beside deposit`);default:return o.some(t=>u(e[t])&&!a.te',
  'st(t))?c(`order-token`,`or sku, amount or deposit is required`):null}})(r),m',
  '=((e,t)=>{let r=/^http/.test(location.href)?location.href:t,n=e===null?null:',
  '((e,t)=>{try{return new URL(e,t)}catch{return null}})(e||`/`,r);return n&&n.',
  'href.replace(/\\/+$/,``)})(t.getAttribute(`relay`)?.trim()??l,t.baseURI);if(!',
  'n||!(`subject`in n)||!(`intent`in n.subject)||m===null||t.querySelector(`scr',
  'ipt`)||t.fetch||!r.orderToken?.includes(`.`)&&Object.keys(localStorage).some',
  '(d))return;let p=JSON.stringify(n.subject.intent),y=new AbortController;setT',
  'imeout(()=>y.abort(),15e3);let f=fetch(m+`/v1/checkout`,{method:`POST`,body:',
  'p,credentials:`omit`,signal:y.signal});f.catch(()=>{}),Object.assign(t,{[e]:',
  '{relay:m,intent:p,response:f}})}if(globalThis.document&&!customElements.get(',
  '`pay-checkout`))for(let t of[...Document.prototype.querySelectorAll.call(doc',
  'ument,`pay-checkout`)])try{e in t||m(t)}catch{}})();',
].join('');

/** Names the text in a content security policy. */
export const BEGIN_HASH = 'sha256-e55eF8VXPgi25dB6VSX2jSQU4eS6PPwAR4gQhgZdhqY=';

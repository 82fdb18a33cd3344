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
  '}`),r]]:[]})),i=[[`order-token`,`orderToken`],[`sku`,`sku`],[`amount`,`amoun',
  't`],[`deposit`,`deposit`]],l=/^(customerRefId|returnUrl)$/,a=Symbol.for(`pay',
  '-checkout-loaded`),d=Reflect.get(globalThis,a),m=d instanceof Map?d:new Map;',
  'Reflect.set(globalThis,a,m);var f=(()=>{if(typeof document>`u`)return null;l',
  'et e=Document.prototype.querySelectorAll.call(document,`script[src]`);for(le',
  't r of[t(`currentScript`),...e]){let e=r instanceof HTMLScriptElement?n(r):n',
  'ull;if(e!==null)return e}return null})(),p=e=>/^pay-checkout:(?!(choice|wall',
  'et)$)/.test(e),y=e=>e.fetch?null:((e,t)=>{let r=/^http/.test(location.href)?',
  'location.href:t,n=e===null?null:((e,t)=>{try{return new URL(e,t)}catch{retur',
  'n null}})(e||`/`,r);return n&&n.href.replace(/\\/+$/,``)})(e.getAttribute(`re',
  'lay`)?.trim()??f,e.baseURI);function b(e,t){let r=new AbortController;return',
  ' setTimeout(()=>r.abort(),15e3),fetch(e,{...t,credentials:`omit`,signal:r.si',
  'gnal})}function k(e){let t=y(e),r=t+(e=>`/locales/${e.replace(/[^\\w-]/g,``).',
  'slice(0,35)}.json`)(e.getAttribute(`locale`)?.trim()||(e=>{let t=e.closest(`',
  '[lang]`);return t&&Element.prototype.getAttribute.call(t,`lang`)?.trim()||`e',
  'n`})(e));if(t===null||m.has(r))return;let n=b(r).then(e=>e.ok?e.json():Promi',
  'se.reject());m.set(r,n),n.catch(()=>m.delete(r))}function h(t){let r={};for(',
  'let e of o)r[e]=t.getAttribute(e.replace(/[A-Z]/g,`-$&`).toLowerCase())?.tri',
  'm()??null;let n=(e=>{let[t,r]=i.filter(([,t])=>c(e[t])).map(([e])=>e);if(r!=',
  '=void 0)return u(r,`contradicts ${t??``}`);switch(t){case`order-token`:retur',
  'n{subject:{intent:s(e,`orderToken`,`returnUrl`)}};case`sku`:{if(c(e.currency',
  '))return u(`currency`,`is not allowed beside sku`);if(c(e.quantity)&&!/^\\d{1',
  ',4}$/.test(e.quantity))return u(`quantity`,`"${e.quantity}" is not a whole n',
  'umber`);let t=c(e.quantity)?{quantity:Number(e.quantity)}:{};return{subject:',
  '{intent:{...s(e,`sku`,`customerRefId`,`returnUrl`),...t}}}}case`amount`:retu',
  'rn c(e.quantity)?u(`quantity`,`is not allowed beside amount`):c(e.currency)?',
  'c(e.productName)?{subject:{intent:s(e,`amount`,`currency`,`payCurrency`,`pro',
  'ductName`,`remark`,`customerRefId`,`returnUrl`)}}:u(`product-name`,`is requi',
  'red beside amount`):u(`currency`,`is required beside amount`);case`deposit`:',
  'return c(e.depositToken)||c(e.customerRefId)?{subject:{deposit:{currency:e.d',
  'eposit??``,...s(e,`depositToken`,`customerRefId`)}}}:u(`deposit-token`,`or c',
  'ustomer-ref-id is required beside deposit`);default:return o.some(t=>c(e[t])',
  '&&!l.test(t))?u(`order-token`,`or sku, amount or deposit is required`):null}',
  '})(r),a=y(t);if(!n||!(`subject`in n)||!(`intent`in n.subject)||a===null||e i',
  'n t||t.querySelector(`script`)||!r.orderToken?.includes(`.`)&&Object.keys(lo',
  'calStorage).some(p))return;let d=JSON.stringify(n.subject.intent),m=b(a+`/v1',
  '/checkout`,{method:`POST`,body:d});m.catch(()=>{}),Object.assign(t,{[e]:{rel',
  'ay:a,intent:d,response:m}})}if(globalThis.document&&!customElements.get(`pay',
  '-checkout`))for(let e of[...Document.prototype.querySelectorAll.call(documen',
  't,`pay-checkout`)])for(let t of[h,k])try{t(e)}catch{}})();',
].join('');

/** Names the text in a content security policy. */
export const BEGIN_HASH = 'sha256-7YbKste4nlNn7PmXPGCKCgUypojOzLezsTJtxd4+3SM=';

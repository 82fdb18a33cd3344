// Written by `npm run contract` from widget/begin.ts. An edit here is lost.

/**
 * The text of a script tag behind the element's tag. It asks for the checkout while the element's
 * script is still loading.
 */
export const BEGIN_TEXT = [
  '(()=>{var e=Symbol.for("pay-checkout-begun"),t=e=>Reflect.get(Document.proto',
  'type,e,document),r=/^(.*)\\/pay-checkout(\\.[0-9a-f]+)?\\.js$/,n=e=>e.getAttrib',
  'ute("data-relay")??(e=>r.exec(e.src.split(/[?#]/)[0]??"")?.[1]??null)(e),o=[',
  '"orderToken","sku","quantity","amount","currency","payCurrency","productName',
  '","remark","customerRefId","returnUrl","deposit","depositToken"],u=e=>Boolea',
  'n(e),c=(e,t)=>({wrong:{attribute:e,message:t}}),s=(e,...t)=>Object.fromEntri',
  'es(t.flatMap(t=>{const r=e[t];return u(r)?[[t.replace(/[A-Z]/g,e=>`_${e.toLo',
  'werCase()}`),r]]:[]})),i=[["order-token","orderToken"],["sku","sku"],["amoun',
  't","amount"],["deposit","deposit"]],a=/^(customerRefId|returnUrl)$/,l=(()=>{',
  'if("undefined"==typeof document)return null;const e=Document.prototype.query',
  'SelectorAll.call(document,"script[src]");for(const r of[t("currentScript"),.',
  '..e]){const e=r instanceof HTMLScriptElement?n(r):null;if(null!==e)return e}',
  'return null})(),d=e=>/^pay-checkout:(?!(choice|wallet)$)/.test(e);function m',
  '(t){const r={};for(const e of o)r[e]=t.getAttribute(e.replace(/[A-Z]/g,"-$&"',
  ').toLowerCase())?.trim()??null;const n=(e=>{const[t,r]=i.filter(([,t])=>u(e[',
  't])).map(([e])=>e);if(void 0!==r)return c(r,`contradicts ${t??""}`);switch(t',
  '){case"order-token":return{subject:{intent:s(e,"orderToken","returnUrl")}};c',
  'ase"sku":{if(u(e.currency))return c("currency","is not allowed beside sku");',
  'if(u(e.quantity)&&!/^\\d{1,4}$/.test(e.quantity))return c("quantity",`"${e.qu',
  'antity}" is not a whole number`);const t=u(e.quantity)?{quantity:Number(e.qu',
  'antity)}:{};return{subject:{intent:{...s(e,"sku","customerRefId","returnUrl"',
  '),...t}}}}case"amount":return u(e.currency)?u(e.productName)?{subject:{inten',
  't:s(e,"amount","currency","payCurrency","productName","remark","customerRefI',
  'd","returnUrl")}}:c("product-name","is required beside amount"):c("currency"',
  ',"is required beside amount");case"deposit":return u(e.depositToken)||u(e.cu',
  'stomerRefId)?{subject:{deposit:{currency:e.deposit??"",...s(e,"depositToken"',
  ',"customerRefId")}}}:c("deposit-token","or customer-ref-id is required besid',
  'e deposit");default:return o.some(t=>u(e[t])&&!a.test(t))?c("order-token","o',
  'r sku, amount or deposit is required"):null}})(r),m=((e,t)=>{const r=/^http/',
  '.test(location.href)?location.href:t,n=null===e?null:((e,t)=>{try{return new',
  ' URL(e,t)}catch{return null}})(e||"/",r);return n&&n.href.replace(/\\/+$/,"")',
  '})(t.getAttribute("relay")?.trim()??l,t.baseURI);if(!n||!("subject"in n)||!(',
  '"intent"in n.subject)||null===m)return;if(t.querySelector("script")||t.fetch',
  ')return;if(!r.orderToken?.includes(".")&&Object.keys(localStorage).some(d))r',
  'eturn;const p=JSON.stringify(n.subject.intent),y=new AbortController;setTime',
  'out(()=>y.abort(),1e4);const f=fetch(m+"/v1/checkout",{method:"POST",body:p,',
  'credentials:"omit",signal:y.signal});f.catch(()=>{});Object.assign(t,{[e]:{r',
  'elay:m,intent:p,response:f}})}if(globalThis.document&&!customElements.get("p',
  'ay-checkout"))for(const p of[...Document.prototype.querySelectorAll.call(doc',
  'ument,"pay-checkout")])try{e in p||m(p)}catch{}})();',
].join('');

/** Names the text in a content security policy. */
export const BEGIN_HASH = 'sha256-LV0RYpD4pWCgR8Czx3wCBFXnMtOstIkxF+NF4+rpIrc=';

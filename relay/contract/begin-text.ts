// Written by `npm run contract` from widget/begin.ts. An edit here is lost.

/**
 * The text of a script tag behind the element's tag. It asks for the checkout while the element's
 * script is still loading.
 */
export const BEGIN_TEXT = [
  '(()=>{var t=Symbol.for("pay-checkout-begun"),e=t=>Reflect.get(Document.proto',
  'type,t,document),r=/^(.*)\\/pay-checkout(\\.[0-9a-f]+)?\\.js$/,c=t=>t.getAttrib',
  'ute("data-relay")??(t=>r.exec(t.src.split(/[?#]/)[0]??"")?.[1]??null)(t),o=(',
  '()=>{if("undefined"==typeof document)return null;const t=Document.prototype.',
  'querySelectorAll.call(document,"script[src]");for(const r of[e("currentScrip',
  't"),...t]){const t=r instanceof HTMLScriptElement?c(r):null;if(null!==t)retu',
  'rn t}return null})(),n=t=>/^pay-checkout:(?!(choice|wallet)$)/.test(t);funct',
  'ion u(e){const r=e.getAttribute("relay")??o,c="order-token sku quantity amou',
  'nt currency pay-currency product-name remark customer-ref-id return-url".spl',
  'it(" ").flatMap(t=>{const r=e.getAttribute(t)?.trim();return r?[[t.replace(/',
  '-/g,"_"),"quantity"===t?Number(r):r]]:[]});if(null===r||0===c.length||e.hasA',
  'ttribute("deposit"))return;if(e.querySelector("script")||e.fetch)return;if(!',
  'e.hasAttribute("order-token")&&Object.keys(localStorage).some(n))return;cons',
  't u=new URL(r,location.href).href.replace(/\\/+$/,""),l=JSON.stringify(Object',
  '.fromEntries(c)),a=new AbortController;setTimeout(()=>a.abort(),1e4);const i',
  '=fetch(u+"/v1/checkout",{method:"POST",body:l,credentials:"omit",signal:a.si',
  'gnal});i.catch(()=>{});Object.assign(e,{[t]:{relay:u,intent:l,response:i}})}',
  'if(globalThis.document&&!customElements.get("pay-checkout"))for(const l of[.',
  '..Document.prototype.querySelectorAll.call(document,"pay-checkout")])try{t i',
  'n l||u(l)}catch{}})();',
].join('');

/** Names the text in a content security policy. */
export const BEGIN_HASH = 'sha256-63bwENOlpoqoon0TnKDBs/3wJkjv0bQLmnvAWMH01GU=';

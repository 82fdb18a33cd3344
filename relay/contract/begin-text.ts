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
  'rn t}return null})(),n=t=>/^pay-checkout:(?!choice$)/.test(t);function u(e){',
  'const r=e.getAttribute("relay")??o,c="order-token sku quantity amount curren',
  'cy pay-currency product-name remark customer-ref-id return-url".split(" ").f',
  'latMap(t=>{const r=e.getAttribute(t)?.trim();return r?[[t.replace(/-/g,"_"),',
  '"quantity"===t?Number(r):r]]:[]});if(null===r||0===c.length||e.hasAttribute(',
  '"deposit"))return;if(e.querySelector("script")||e.fetch)return;if(!e.hasAttr',
  'ibute("order-token")&&Object.keys(localStorage).some(n))return;const u=new U',
  'RL(r,location.href).href.replace(/\\/+$/,""),l=JSON.stringify(Object.fromEntr',
  'ies(c)),i=new AbortController;setTimeout(()=>i.abort(),1e4);const a=fetch(u+',
  '"/v1/checkout",{method:"POST",body:l,credentials:"omit",signal:i.signal});a.',
  'catch(()=>{});Object.assign(e,{[t]:{relay:u,intent:l,response:a}})}if(global',
  'This.document&&!customElements.get("pay-checkout"))for(const l of[...Documen',
  't.prototype.querySelectorAll.call(document,"pay-checkout")])try{t in l||u(l)',
  '}catch{}})();',
].join('');

/** Names the text in a content security policy. */
export const BEGIN_HASH = 'sha256-nOW2+HyZndIRfw0mo3rXPr+GJJWFybNMbyrYp4uD04o=';

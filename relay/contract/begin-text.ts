// Written by `npm run contract` from widget/begin.ts. An edit here is lost.

/**
 * The text of a script tag behind the element's tag. It asks for the checkout while the element's
 * script is still loading.
 */
export const BEGIN_TEXT = [
  '(()=>{var t=Symbol.for("pay-checkout-begun"),e=t=>/^pay-checkout:(?!choice$)',
  '/.test(t),r=t=>[...Document.prototype.querySelectorAll.call(document,t)];fun',
  'ction c(c){const[o]=r(\'script[data-relay],script[src*="/pay-checkout."]\'),a=',
  'c.getAttribute("relay")??o?.getAttribute("data-relay")??o?.src.replace(/\\/pa',
  'y-checkout\\..*/,""),n="order-token sku quantity amount currency pay-currency',
  ' product-name remark customer-ref-id return-url".split(" ").flatMap(t=>{cons',
  't e=c.getAttribute(t)?.trim();return e?[[t.replace(/-/g,"_"),"quantity"===t?',
  'Number(e):e]]:[]});if(!a||0===n.length||c.hasAttribute("deposit"))return;if(',
  'c.querySelector("script")||c.fetch)return;if(!c.hasAttribute("order-token")&',
  '&Object.keys(localStorage).some(e))return;const u=new URL(a,location.href).h',
  'ref.replace(/\\/+$/,""),i=JSON.stringify(Object.fromEntries(n)),s=new AbortCo',
  'ntroller;setTimeout(()=>s.abort(),1e4);const l=fetch(u+"/v1/checkout",{metho',
  'd:"POST",body:i,credentials:"omit",signal:s.signal});l.catch(()=>{});Object.',
  'assign(c,{[t]:{relay:u,intent:i,response:l}})}if(globalThis.document&&!custo',
  'mElements.get("pay-checkout"))for(const o of r("pay-checkout"))try{t in o||c',
  '(o)}catch{}})();',
].join('');

/** Names the text in a content security policy. */
export const BEGIN_HASH = 'sha256-I/oJ5+h4/mc65VqSC/c0XtPwzCUwl0zRWAbeuoov7GA=';

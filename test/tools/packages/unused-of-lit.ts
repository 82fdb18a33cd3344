/**
 * What the element's script leaves out of Lit: the build replaces each pattern in the file that has
 * it (vite.config.ts). A pattern that is not found ends the build, so that another version of Lit
 * is looked at anew. The packages for bundlers have all of Lit.
 */

/** In the place of a cache of sheets. */
const NEW_SHEET = 'return t||(this.o=t=new CSSStyleSheet).replaceSync(this.cssText),t}';

/** In the place of a listener that is removed and added again. */
const LISTENER =
  'this.element.addEventListener(this.name,this),this._$AH=t??A}' +
  'handleEvent(t){this._$AH!==A&&this._$AH(t)}';

/** In the place of an update that may be refused. */
const UPDATE = 'this.update(s)}catch(t){throw this._$EM(),t}';

/** What the element never uses, by the file that has it. */
export const UNUSED_OF_LIT: Readonly<
  Record<string, readonly (readonly [RegExp | string, string])[]>
> = {
  'lit-html/lit-html.js': [
    // polyfills of the shadow DOM, which every browser has
    [/(\w+)=t\.litHtmlPolyfillSupport;\1\?\.\(.*?\.push\(".*?"\);/, '$1=0;'],
    // directives that learn that they left the page, and what a directive learns of its place
    [/get parentNode\(\)\{return .*?\}get _\$AU\(\)\{.*?\}/, ''],
    [/get _\$AU\(\)\{return this\._\$AM\?.*?\}/, ''],
    [/,this\._\$Cv=e\?\.isConnected\?\?!0/, ''],
    [/get parentNode\(\)\{let .*?get endNode\(\)\{.*?\}/, ''],
    [/for\(this\._\$AP.*?;t/, 'for(;t'],
    [/setConnected\(t\)\{.*?\)\}/, ''],
    [/get tagName\(\)\{.*?get _\$AU\(\)\{.*?\}/, ''],
    [/(class I .*?)constructor.*?this\.type=3\}/, '$1'],
    [/(class L .*?)constructor.*?this\.type=4\}/, '$1'],
    [/(class z .*?)constructor.*?this\.type=5\}/, '$1'],
    [/this\._\$AN=void 0,|this\.type=\d,|this\._\$AM=[es],/g, ''],
    [',this._$AM=i}', '}'],
    // directives of an attribute, an element or an event, and the value that changes nothing
    ['if(i===E)return i;', ''],
    ['h=void 0!==e?s._$Co?.[e]:s._$Cl', 'h=s._$Cl'],
    ['h?._$AO?.(!1),', ''],
    [/(h=new o\(t\)),h\._\$AT.*?:s\._\$Cl=h\)/, '$1),s._$Cl=h)'],
    ['i.values),h,e)', 'i.values),h)'],
    ['t=M(this,t,i,0),o=!a(t)||t!==this._$AH&&t!==E', 'o=!a(t)||t!==this._$AH'],
    ['r=M(this,e[s+n],i,n),r===E&&(r=this._$AH[n])', 'r=e[s+n]'],
    ['if((t=M(this,t,i,0)??A)===E)return;', 't??=A;'],
    ['t!==this._$AH&&t!==E&&', 't!==this._$AH&&'],
    [/else t\.startsWith\(o\)&&.*?\)\)/, ''],
    [':6===r.type&&(i=new Z(h,this,t))', ':0'],
    [/class Z\{.*?const j=\{.*?\},/, 'const '],
    ['j as _$LH,', ''],
    ['E=Symbol.for("lit-noChange"),', ''],
    ['E as noChange,', ''],
    // listeners with options, or that are no functions
    [/\|\|t\.capture!==.*?s\.passive/, ''],
    [/handleEvent\(t\)\{.*?\(t\)\}\}/, 'handleEvent(t){this._$AH(t)}}'],
    // values that are DOM nodes or lists of another kind, and templates that are compiled before
    [/void 0!==t\.nodeType\?this\.T\(t\):d\(t\)/, 'u(t)'],
    [/"number"==typeof s\?(.*?):\(.*?,s\),?;/, '$1;'],
    ['(t?.creationScope??l)', 'l'],
    // templates of SVG and MathML; comments and raw text in templates
    [/x=t=>\(i,.*?T=x\(3\)/, 'b=(t,...i)=>({_$litType$:1,strings:t,values:i})'],
    [/T as mathml,(.*),w as svg/, '$1'],
    ['l=2===i?"<svg>":3===i?"<math>":""', 'l=""'],
    ['+(2===i?"</svg>":3===i?"</math>":"")', ''],
    [/if\((this\.el=.*?),2===i\|\|3===i\)\{.*?\}for/, '$1;for'],
    [/if\(y\.test\(r\.tagName\)\)\{.*?\}\}else/, '}else'],
    [/"!--"===u\[1\].*?\(c=p\):c===p/, 'c=p:c===p'],
    ['c===$||c===g?c=p:c===_||c===m?c=v:(c=p,n=void 0)', 'c=p'],
    ['c=n??v', 'c=v'],
    [/if\(r\.data===n\)(.*?);else\{let .*?\}l\+\+/, '{r.data===n&&$1}l++'],
    [/v=\/.*?\/g,_=.*?,m=.*?,p=/, 'v=/<\\/?[a-zA-Z][^>\\s]*/g,p='],
    // white space and quotes that no minified template has
    [/p=RegExp\(.*?"g"\),g=.*?,\$=/, `p=/>|\\s(?:([^\\s"'>=/]+)(=(?:[^\\s"'<>=]|(")|))|$)/g,$=`],
    [`'"'===u[3]?$:g`, '$'],
    [/const x=.*?;/, ''],
    ['+o+x)', '+o)'],
    ['i:x)', 'i:"")'],
    // what serves several documents, more kinds of parts, and directives inside directives
    ['const s=i(t).nextSibling;i(t).remove()', 'const s=t.nextSibling;t.remove()'],
    ['if(r.hasAttributes())for', 'for'],
    [/type:[12],/g, ''],
    [
      /2===r\.type\?(i=)(new k\(h,h\.nextSibling),this,t\):.*?t\):0/,
      '$1r.ctor?new r.ctor(h,r.name,r.strings):$2)',
    ],
    ['void 0!==s&&(void 0!==s.strings?(', 's.strings?('],
    ['s._$AI(t[i])),i++', 's._$AI(t[i]),i++'],
    [/(function M\(t,i),s=t,e\)\{let h=s/, '$1){let h=t'],
    [
      /\(void 0===o\?h=void 0:\(h=new o\(t\)\),s\._\$Cl=h\),void 0!==h&&\(i=M\(t,(.*?),h\)\)/,
      '(t._$Cl=h=o&&new o(t)),h&&(i=$1)',
    ],
    // options, which name the place of the first part only
    [
      '(t,i,s,e){this._$AH=A,this._$AA=t,this._$AB=i,this.options=e}',
      '(t,i){this._$AH=A,this._$AA=t,this._$AB=i}',
    ],
    ['new R(e,this),s=t.u(this.options)', 'new R(e),s=t.u()'],
    ['this.O(c()),this,this.options', 'this.O(c())'],
    [
      '(t,i,s,e,h){this._$AH=A,this.element=t,this.name=i,this.options=h,',
      '(t,i,s){this._$AH=A,this.element=t,this.name=i,',
    ],
    [
      /const e=s\?\.renderBefore.*?return h\._\$AI\(t\),h/,
      '(i._$litPart$??=new k(i.insertBefore(c(),s),s))._$AI(t)',
    ],
    // no value is ever part of a template, so none can contain the mark of a value
    ['`lit$${Math.random().toFixed(9).slice(2)}$`', '"lit$0$"'],
    // listeners stay: the part calls the newest function
    [/(class z extends H\{_\$AI\(t).*?this\._\$AH=t\}.*?\}/, '$1){' + LISTENER],
  ],
  'lit-element/lit-element.js': [
    // polyfills, and pages that Lit's server made
    [/\w\.litElementHydrateSupport.*?const (\w)=.*?LitElement:\w\}\);/, '0;'],
    [/\(\w\.litElementVersions.*?\);/, ''],
    // directives that learn that they left the page
    [',this._$Do=void 0', ''],
    ['this._$Do=', ''],
    [/connectedCallback\(\)\{.*?\}disconnectedCallback\(\)\{.*?\}/, ''],
    [/this\.hasUpdated\|\|\(.*?\),/, ''],
    // a render that changes nothing
    [',noChange as r}', '}'],
    ['render(){return r}', ''],
    // the place of the first part is before what a server rendered
    [/constructor\(\)\{super\(\.\.\.arguments\).*?\}\}/, ''],
    ['renderOptions.renderBefore??=', 'renderOptions='],
    ['i._$litElement$=!0,i["finalized"]=!0,', ''],
  ],
  '@lit/reactive-element/reactive-element.js': [
    // polyfills
    [/\w\?\.\(\{ReactiveElement:.*?\.push\(".*?"\)/, '0'],
    // the style sheets are one list without values in them, and the page uses each once
    [/static finalizeStyles\(s\)\{.*?return i\}/, ''],
    ['this.finalizeStyles(this.styles)', 'this.styles'],
    // an attribute takes the empty text without a type
    [/c=a\.trustedTypes,l=.*?"",/, 'l="",'],
    // decorators and initializers
    [/Symbol\.metadata\?\?=.*?new WeakMap;/, ''],
    [/const t=this\[Symbol\.metadata\];if.*?set\(t,i\)\}/, ''],
    [/static addInitializer\(t\)\{.*?\.push\(t\)\}/, ''],
    [/,this\.constructor\.l\?\.forEach\(t=>t\(this\)\)/, ''],
    [/,void 0!==t\.l&&\(this\.l=\[\.\.\.t\.l\]\)/, ''],
    // controllers that come or go later, and steps of an update that nothing overrides
    [/removeController\(t\)\{.*?\}/, ''],
    [/,void 0!==this\.renderRoot&&this\.isConnected&&.*?\(\)\}/, '}'],
    ['let t=!1;const s=this._$AL;try{t=this.shouldUpdate(s),t?(', 'const s=this._$AL;try{'],
    ['this._$EO?.forEach(t=>t.hostUpdate?.()),', ''],
    ['this.update(s)):this._$EM()}catch(s){throw t=!1,this._$EM(),s}t&&', UPDATE],
    ['const t=this.scheduleUpdate();return null!=t&&await t,', 'return this.performUpdate(),'],
    ['scheduleUpdate(){return this.performUpdate()}', ''],
    [/this\.getUpdateComplete\(\)\}getUpdateComplete\(\)\{return /, ''],
    // methods that the constructor or the element replaces, and one that nothing else calls
    ['enableUpdating(t){}', ''],
    ['willUpdate(t){}', ''],
    ['updated(t){}', ''],
    ['this._$Ev()}_$Ev(){', ''],
    // a root, style sheets and fields of another kind
    ['this.constructor.shadowRootOptions', '{mode:"open"}'],
    ['y.elementStyles=[],y.shadowRootOptions={mode:"open"},', ''],
    ['this._$Ep=void 0,', ''],
    ['shouldUpdate(t){return!0}', ''],
    ['this.hasUpdated||(this.hasUpdated=!0,this.firstUpdated(t))', 'this.hasUpdated=!0'],
    ['firstUpdated(t){}', ''],
    // properties with a comparison or an accessor of their own, or named by a symbol
    [/case Object:case Array:t=.*?stringify\(t\)/, ''],
    [/case Number:.*?\{i=null\}/, ''],
    [/\(void 0!==i\.converter\?\.toAttribute.*?:u\)/, 'u'],
    ['(i.hasChanged??f)(h,s)', 'f(h,s)'],
    [',converter:u,reflect:!1,useDefault:!1,hasChanged:f}', '}'],
    ['h(this.prototype,t)??', ''],
    [/void 0!==h&&(e\(this\.prototype,t,h\))/, '$1'],
    ['"string"==typeof t?t.toLowerCase():void 0', 't.toLowerCase()'],
    ['if(void 0!==e&&!0===i.reflect){', '{'],
    ['(t,s,i,e=!1,h)', '(t,s,i,h=this[t])'],
    ['if(!1===e&&(h=this[t]),i??=', 'if(i??='],
    ['[...r(t),...o(t)]', 'r(t)'],
    ['s.state&&(s.attribute=!1),', ''],
    [/,this\.prototype\.hasOwnProperty\(t\)&&.*?wrapped=!0\)/, ''],
    [/const t=this\.constructor\.elementProperties;if\(t\.size>0\).*?e\)\}/, ''],
    [',wrapped:h},r)', '})'],
    ['r??s??this[t]),!0!==h||void 0!==r)', 's??this[t]),!0)'],
  ],
  '@lit/reactive-element/css-tag.js': [
    // older browsers get the styles another way (widget/browser/page-sheet.ts)
    [/else for\(const e of o\)\{.*?s\.appendChild\(o\)\}/, ''],
    [/t instanceof CSSStyleSheet\?t:t\.styleSheet/, 't.styleSheet'],
    [/\(void 0===t\.ShadyCSS.*?\)&&/, ''],
    // the style sheets are one list without values in them, and the page uses each once
    [/constructor\(t,e,o\)\{.*?,this\.t=e\}/, 'constructor(t){this.cssText=t}'],
    [/const s=this\.t;if\(e&&.*?\)\}return t\}/, NEW_SHEET],
    ['new n("string"==typeof t?t:t+"",void 0,s)', 'new n(t)'],
    [/i=\(t,\.\.\.e\)=>\{.*?\},S=/, 'i=t=>new n(t[0]),S='],
  ],
  'lit-html/directive.js': [
    // the place of a directive, and its answer on a server
    [/constructor\(t\)\{\}get.*?(?=_\$AS)/, ''],
    [/update\(t,e\)\{return this\.render.*?\}/, ''],
    ['_$AS(t,e){return this.update(t,e)}', ''],
  ],
  'lit-html/directives/keyed.js': [
    [/render\(r,t\)\{.*?\}/, ''],
    [/import\{setCommittedValue.*?;/, ''],
    ['s(r)', 'r._$AH={}'],
    [/ extends e\{constructor.*?\}update/, '{_$AS'],
  ],
};

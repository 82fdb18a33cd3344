/** A panel that makes the sandbox fail, so that a visitor sees what a customer then sees. */
import { find, html, show } from './markup.js';

const OPERATIONS = [
  ['pay', 'placing the order'],
  ['query', 'asking about the order'],
  ['deposit_address', 'the deposit address'],
  ['*', 'whatever is asked next'],
] as const;
const FAULTS_URL = '/service/control/faults';

type Faults = {
  active: { operation: string; fault: string; times: number }[];
  known: Record<string, string>;
};

const scopeOf = (operation: string, times: number): string =>
  (operation === '*' ? 'any call' : operation) + (times === 0 ? ', lasting' : ` × ${times}`);

export function faultPanel(): HTMLElement {
  const panel = document.createElement('details');
  panel.className = 'faults';
  show(
    panel,
    html`<summary>Break something</summary>
      <p>The sandbox simulates the payment service. Let it fail, then pay as a customer would.</p>
      <form>
        <label
          >When
          <select name="operation">
            ${OPERATIONS.map(([id, name]) => html`<option value="${id}">${name}</option>`)}
          </select></label
        >
        <label
          >then
          <select name="fault"></select
        ></label>
        <label
          >for
          <select name="times">
            <option value="1">one time</option>
            <option value="3">three times</option>
            <option value="0">as long as I like</option>
          </select></label
        >
        <button class="button">Break it</button>
      </form>
      <div class="broken" aria-live="polite"></div>`,
  );
  const form = find('form', HTMLFormElement, panel);
  const list = find('.broken', HTMLElement, panel);

  const refresh = async (): Promise<void> => {
    const { active, known } = (await (await fetch(FAULTS_URL)).json()) as Faults;
    const choice = find('[name="fault"]', HTMLSelectElement, panel);
    if (choice.length === 0)
      show(
        choice,
        html`${Object.entries(known).map(
          ([id, what]) => html`<option value="${id}">${what}</option>`,
        )}`,
      );
    show(
      list,
      active.length === 0
        ? html`<p>Nothing is broken.</p>`
        : html`<ul>
              ${active.map(
                ({ fault, operation, times }) =>
                  html`<li>
                    ${known[fault] ?? fault} <span>(${scopeOf(operation, times)})</span>
                  </li>`,
              )}
            </ul>
            <button type="button" class="button" data-mend>Mend everything</button>`,
    );
  };
  const change = async (method: 'POST' | 'DELETE', body?: object): Promise<void> => {
    await fetch(FAULTS_URL, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    await refresh();
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void change('POST', { ...Object.fromEntries(new FormData(form)), value: '77' });
  });
  list.addEventListener('click', (event) => {
    if ((event.target as Element).matches('[data-mend]')) void change('DELETE');
  });
  panel.addEventListener('toggle', () => {
    if (panel.open) void refresh();
  });
  return panel;
}

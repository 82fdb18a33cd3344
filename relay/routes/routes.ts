/** All paths of the relay, and the operations that need no file of their own. */
import { Hono, type Context as HonoContext } from 'hono';
import { endpoints } from '../contract/endpoints.js';
import { Failure } from '../contract/failure.js';
import { paths } from '../contract/paths.js';
import type { DepositAddress } from '../contract/responses.js';
import { readBody } from '../http/body.js';
import { endWithFailure } from '../http/errors.js';
import { preflightHeaders } from '../http/origin.js';
import { beginRequest } from '../http/request-log.js';
import { signOrderToken } from '../intent/sign-order-token.js';
import { close as closeIntent } from '../operator/close.js';
import { asLedgerFailure } from '../orders/place-failures.js';
import { createPayLink } from '../pay-links/create-pay-link.js';
import { serveAsset, type Assets } from './assets.js';
import { checkout } from './checkout.js';
import { events, orders, resendEvents } from './lists.js';
import {
  answerAt,
  mountForBackend,
  mountForPage,
  mountHtmlForBackend,
  mountNoSuchPath,
  type RouteDeps,
  type BackendHandler,
  type Handler,
} from './mount.js';
import { pay } from './pay.js';
import { payLinkPage, payLinkQr, resumePage } from './own-page.js';
import { payLinkStyle } from './pay-link-style.js';
import { query } from './query.js';
import { readyz } from './readyz.js';
import { render } from './render.js';
import { wallets } from './wallets.js';

const orderTokens: BackendHandler<'orderTokens'> = async ({ about, context }, body) => {
  if (body.jti !== undefined) about(body.jti);
  const { token, expiresAt } = await signOrderToken(context.config, body, context.clock.now());
  return { order_token: token, expires_at: new Date(expiresAt).toISOString() };
};

const payLinks: BackendHandler<'payLinks'> = async ({ about, context }, body) => {
  if (body.jti !== undefined) about(body.jti);
  return createPayLink(context, body);
};

const revokePayLink: BackendHandler<'revokePayLink'> = async ({ context }, { pay_link_id }) => {
  const at = await context.ledger.revokePayLink(pay_link_id, context.ledgerClock.now());
  if (at === null) throw new Failure('not_found', 'no such pay link', 'pay_link_id');
  return { pay_link_id, revoked_at: new Date(at).toISOString() };
};

/** The intent takes no more orders. */
const close: BackendHandler<'close'> = async (call, { intent_id, reason = null }) => {
  call.about(intent_id);
  // the shop makes the ids, and may close a token before its customer uses it
  return closeIntent(call, { intent_id, reason, by: null, unused: true });
};

/** Where a customer may send a crypto deposit. */
const depositAddress: Handler<{ deposit_address: DepositAddress }> = async ({
  address: clientAddress,
  findDepositAddress,
  limit,
  request,
  trace,
}) => {
  const body = await readBody(request, endpoints.depositAddress.request);
  // Called only before the service is asked: a deposit address that the ledger has does not count
  // against the limits of new ones.
  const checkRate = async (customerRefId: string): Promise<void> => {
    // first: an address that is over its limit must not use up those of customers it names
    await limit('deposit', clientAddress === undefined ? undefined : `ip ${clientAddress}`);
    await limit('deposit', `customer ${customerRefId}`);
  };
  return { deposit_address: await findDepositAddress(body, checkRate, trace) };
};

/** Any method: a webhook signal of the order service. */
const notify =
  ({ context, receiveSignal }: RouteDeps) =>
  async (c: HonoContext): Promise<Response> => {
    const capability = c.req.param('capability') ?? '';
    await receiveSignal(capability);
    return c.text(context.config.service.notify_ack);
  };

const preflight = (c: HonoContext): Response => c.body(null, 204, preflightHeaders(c.req.raw));

/** Answers what pages and the backend post to `/v1/query`. */
export const createQueryRoute = (deps: RouteDeps): ReturnType<typeof answerAt> =>
  answerAt(deps, paths.query, query);

export const createRoutes = (deps: RouteDeps, assets: Assets): Hono =>
  new Hono()
    // before the preflights: the order service may send its signal by any method
    .all('/v1/notify/:capability', notify(deps))
    .options('/v1/*', preflight)
    // a page that is traced adds headers to each of its requests
    .options('/locales/*', preflight)
    .options('/wallets/*', preflight)
    .post(paths.checkout, mountForPage(deps, checkout))
    .post(paths.pay, mountForPage(deps, pay))
    .post(paths.depositAddress, mountForPage(deps, depositAddress))
    .post(paths.orderTokens, mountForBackend(deps, endpoints.orderTokens, orderTokens))
    .post(paths.render, mountHtmlForBackend(deps, endpoints.render, render))
    .post(paths.payLinks, mountForBackend(deps, endpoints.payLinks, payLinks))
    .post(paths.revokePayLink, mountForBackend(deps, endpoints.revokePayLink, revokePayLink))
    .post(paths.close, mountForBackend(deps, endpoints.close, close))
    .post(paths.orders, mountForBackend(deps, endpoints.orders, orders))
    .post(paths.events, mountForBackend(deps, endpoints.events, events))
    .post(paths.resendEvents, mountForBackend(deps, endpoints.resendEvents, resendEvents))
    .get('/healthz', (c) => c.json({ status: 'ok' }, 200, { 'cache-control': 'no-store' }))
    .get('/readyz', readyz(deps))
    .get('/r', resumePage(deps, assets))
    .get('/p/:token', payLinkPage(deps, assets))
    .get('/p/:token/qr.svg', payLinkQr(deps))
    // some mail programs and servers add a slash; a browser keeps the part after `#`
    .get('/r/', (c) => c.redirect('../r'))
    .get('/p/:token/', (c) => c.redirect(`../${encodeURIComponent(c.req.param('token'))}`))
    .get('/pay-link.css', payLinkStyle)
    .get('/wallets/:file', wallets(deps))
    .get('*', async (c, next) => (await serveAsset(assets, c)) ?? next())
    .notFound(mountNoSuchPath(deps))
    .onError((error) => {
      const { body, ...init } = endWithFailure(
        beginRequest(deps.context, '*'),
        asLedgerFailure(error),
        deps.context.config.shop.support_url,
      );
      return Response.json(body, init);
    });

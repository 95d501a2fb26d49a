/**
 * The formats of further services' tokens: payments, messages, feature flags, models, networks and wallets. As in `tokenForms.ts`,
 * formats that follow a public list of rules cite "gitleaks" or "Kingfisher".
 */
import { hasBothCases, hasDigit, isMixed, type TokenForm } from './tokenForm';

const UUID = '[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}';

export const SERVICE_TOKEN_FORMS: readonly TokenForm[] = [
  // The way in which many services tell keys of production from others: `duffel_live_…`, `sk_dev_…`.
  { name: 'api-key', form: '[a-z]{2,10}_(?:live|test|prod|dev|sandbox)_[A-Za-z0-9_=-]{12,255}', accepts: isMixed },
  // https://developer.paddle.com/api-reference/about/api-keys
  { name: 'paddle-key', form: 'pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}' },
  // https://plaid.com/docs/api/items
  { name: 'plaid-token', form: `(?:access|public|link)-(?:production|sandbox|development)-${UUID}` },
  // https://docs.adyen.com/development-resources/api-credentials
  { name: 'adyen-key', form: 'AQE[A-Za-z0-9]{60,120}-[A-Za-z0-9+/]{30,60}=?-[A-Za-z0-9]{12,20}' },
  // https://www.mercadopago.com/developers/en/docs/your-integrations/credentials
  { name: 'mercadopago-token', form: 'APP_USR-\\d{6,20}-\\d{6}-[a-f0-9]{32}-\\d{4,12}' },
  // https://docs.mollie.com/reference/authentication
  { name: 'mollie-key', form: '(?:live|test)_[A-Za-z0-9]{30}', accepts: isMixed },
  // https://polar.sh/docs/integrate/oat
  { name: 'polar-token', form: 'polar_(?:oat|pat|cs|at_[ou])_[A-Za-z0-9]{40,64}' },
  // https://developers.mailersend.com/general.html
  { name: 'mailersend-token', form: 'mlsn\\.[a-f0-9]{64}' },
  // https://developers.klaviyo.com/en/docs/authenticate_
  { name: 'klaviyo-key', form: 'pk_[a-f0-9]{34}' },
  // https://documentation.onesignal.com/docs/keys-and-ids
  { name: 'onesignal-key', form: 'os_v2_(?:app|org)_[a-z2-7]{103}' },
  // https://dev.twitch.tv/docs/irc/authenticate-bot
  { name: 'twitch-token', form: 'oauth:[a-z0-9]{30}', accepts: hasDigit },
  // https://developers.intercom.com/docs/build-an-integration/learn-more/authentication: `tok:` in Base64.
  { name: 'intercom-token', form: 'dG9rOj[A-Za-z0-9+/_-]{40,80}={0,2}' },
  // https://element-hq.github.io/synapse/latest/usage/administration/admin_api
  { name: 'matrix-token', form: 'syt_[A-Za-z0-9_-]{1,200}_[A-Za-z]{20}_[A-Za-z0-9]{6}' },
  // https://ghost.org/docs/admin-api/#token-authentication
  { name: 'ghost-key', sign: /[a-f0-9]:[a-f0-9]{64}/, form: '[a-f0-9]{24}:[a-f0-9]{64}' },
  // https://developers.hubspot.com/docs/guides/apps/private-apps/overview; Kingfisher.
  { name: 'hubspot-token', form: `pat-(?:na|eu|ap)\\d-${UUID}` },
  // https://launchdarkly.com/docs/home/account/environment/keys, also of its API.
  { name: 'launchdarkly-key', form: `(?:sdk|api)-${UUID}` },
  // https://configcat.com/docs/sdk-reference/overview
  { name: 'configcat-key', form: 'configcat-sdk-1/[A-Za-z0-9_-]{22}/[A-Za-z0-9_-]{22}' },
  // https://docs.getunleash.io/reference/api-tokens-and-client-keys
  { name: 'unleash-token', sign: /\.[a-f0-9]{56}/, form: '[A-Za-z0-9*\\[\\]_-]{1,60}:[A-Za-z0-9_-]{1,60}\\.[a-f0-9]{56,64}' },
  // https://docs.flagsmith.com/clients/server-side
  { name: 'flagsmith-key', form: 'ser\\.[A-Za-z0-9]{22}', accepts: hasDigit },
  // https://docs.statsig.com/access-management/api-keys
  { name: 'statsig-key', form: '(?:secret|console)-[A-Za-z0-9]{40,64}', accepts: isMixed },
  // https://docs.honeycomb.io/configure/environments/manage-api-keys
  { name: 'honeycomb-key', form: 'hc[abcx](?:ik|mk|lk)_[a-z0-9]{50,64}' },
  // https://axiom.co/docs/reference/tokens
  { name: 'axiom-token', form: `xa[ap]t-${UUID}` },
  // https://www.inngest.com/docs/platform/signing-keys
  { name: 'inngest-key', form: 'signkey-(?:prod|test|branch)-[a-f0-9]{32,64}' },
  // https://docs.fal.ai/model-apis/authentication/key-based
  { name: 'fal-key', sign: /-[a-f0-9]{12}:[a-f0-9]{32}/, form: `${UUID}:[a-f0-9]{32}` },
  // https://docs.convex.dev/cli/deploy-key-types
  { name: 'convex-key', form: '(?:prod|dev|preview|project):[a-z0-9:-]{3,80}\\|[A-Za-z0-9+/=_-]{30,200}' },
  // https://docs.depot.dev/cli/authentication
  { name: 'depot-token', form: 'depot_(?:project|org|user)_[a-f0-9]{64}' },
  // https://docs.deno.com/deploy/classic/ci_github
  { name: 'deno-token', form: 'dd[pow]_[A-Za-z0-9]{36}' },
  // https://jsr.io/docs/api
  { name: 'jsr-token', form: 'jsr[pd]_[A-Za-z0-9_-]{36,64}' },
  // https://docs.wandb.ai/platform/api-keys
  { name: 'wandb-key', form: 'wandb_v1_[A-Za-z0-9_]{70,100}' },
  // https://docs.runpod.io/get-started/api-keys
  { name: 'runpod-key', form: 'rpa_[A-Za-z0-9]{40,60}' },
  // https://modal.com/docs/reference/modal.config
  { name: 'modal-token', form: 'a[ks]-[A-Za-z0-9]{22}', accepts: isMixed },
  // https://docs.voyageai.com/docs/api-key-and-installation, https://docs.nomic.ai, https://docs.mem0.ai
  { name: 'api-key', form: '(?:pa|nk|m0)-[A-Za-z0-9_-]{38,64}', accepts: isMixed },
  // https://api-dashboard.search.brave.com/documentation/guides/authentication
  { name: 'brave-key', form: 'BSA[A-Za-z0-9_-]{24,28}', accepts: hasDigit },
  // https://www.sanity.io/docs/content-lake/http-auth
  { name: 'sanity-token', form: 'sk[A-Za-z0-9]{120,200}', accepts: isMixed },
  // https://ngrok.com/docs/agent/config
  { name: 'ngrok-token', sign: /_[A-Za-z0-9]{20,22}(?![A-Za-z0-9])/, form: '[123][A-Za-z0-9]{26}_[A-Za-z0-9]{20,22}', accepts: isMixed },
  // https://docs.netbird.io/manage/public-api
  { name: 'netbird-token', form: 'nbp_[A-Za-z0-9]{36}' },
  // https://docs.docker.com/engine/swarm/join-tokens
  { name: 'swarm-token', form: 'SWMTKN-\\d-[a-z0-9]{40,60}-[a-z0-9]{20,30}' },
  // https://ranchermanager.docs.rancher.com/reference-guides/user-settings/api-keys
  { name: 'rancher-token', form: '(?:token|kubeconfig-user)-[a-z0-9]{5,16}:[a-z0-9]{50,64}' },
  // https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth
  { name: 'nats-seed', form: 'S[AUOXNC][A-Z2-7]{56}', accepts: hasDigit },
  // https://stellar.org/protocol/sep-23
  { name: 'stellar-seed', form: 'S[A-Z2-7]{55}', accepts: hasDigit },
  // https://github.com/bitcoin/bips/blob/master/bip-0032.mediawiki
  { name: 'wallet-key', form: '[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,112}' },
  // https://en.bitcoin.it/wiki/Wallet_import_format
  { name: 'wallet-key', form: '(?:5[HJK][1-9A-HJ-NP-Za-km-z]{49}|[KL][1-9A-HJ-NP-Za-km-z]{51})', accepts: isMixed },
  // https://github.com/nostr-protocol/nips/blob/master/19.md
  { name: 'nostr-key', form: 'nsec1[02-9ac-hj-np-z]{58}' },
  // The rest of this group: gitleaks.
  { name: 'adobe-secret', form: 'p8e-[a-z0-9-]{32}', accepts: hasDigit },
  {
    name: 'authress-key',
    form: '(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][a-z0-9-]{10,32}\\.[A-Za-z0-9+/_=-]{30,120}',
  },
  { name: 'clickhouse-key', form: '4b1d[A-Za-z0-9]{38}', accepts: hasBothCases },
  { name: 'flutterwave-key', form: 'FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?', accepts: hasDigit },
  { name: 'frameio-token', form: 'fio-u-[A-Za-z0-9_=-]{64}' },
  { name: 'grafana-token', form: 'eyJrIjoi[A-Za-z0-9]{60,400}={0,3}' },
  { name: 'infracost-key', form: 'ico-[A-Za-z0-9]{32}', accepts: hasDigit },
  { name: 'intra42-secret', form: 's-s4t2(?:ud|af)-[a-f0-9]{64}' },
  { name: 'scalingo-token', form: 'tk-us-[A-Za-z0-9_-]{48}' },
  { name: 'settlemint-token', form: 'sm_[aps]at_[A-Za-z0-9]{16}', accepts: hasDigit },
  { name: 'vault-token', form: 's\\.[A-Za-z0-9]{24}', accepts: isMixed },
  // The rest: Kingfisher.
  { name: 'adafruit-key', form: 'aio_[A-Za-z0-9]{28}', accepts: hasDigit },
  { name: 'clickup-token', form: 'pk_\\d{7,9}_[A-Z0-9]{32}' },
  { name: 'dtrack-key', form: 'odt_[A-Za-z0-9_]{32,255}', accepts: hasDigit },
  { name: 'dfuse-key', form: 'web_[a-z0-9]{32}', accepts: hasDigit },
  { name: 'flexport-token', form: 'shltm_[A-Za-z0-9_-]{40}' },
  { name: 'fullstory-key', form: 'na1\\.[A-Za-z0-9+/]{100}' },
  { name: 'ionic-token', form: 'ion_[a-z0-9]{42}' },
  { name: 'mongodb-secret', form: 'mdb_sa_sk_[A-Za-z0-9_-]{40}' },
  { name: 'nightfall-key', form: 'NF-[A-Za-z0-9]{32}', accepts: hasDigit },
  { name: 'sourcegraph-token', form: 'slk_[a-f0-9]{64}' },
  { name: 'segment-token', form: 'sgp_[A-Za-z0-9]{64}' },
  { name: 'stackhawk-key', form: 'hawk\\.[A-Za-z0-9_-]{20}\\.[A-Za-z0-9_-]{20}' },
  { name: 'salesforce-token', form: '00D[A-Za-z0-9]{12}![A-Za-z0-9_.]{80,120}' },
  { name: 'voiceflow-key', form: 'VF\\.(?:(?:DM|WS)\\.)?[a-f0-9]{24}\\.[A-Za-z0-9]{16}' },
  { name: 'ubidots-token', form: 'BBFF-[A-Za-z0-9]{30}' },
  { name: 'postman-key', form: 'PMAT-[A-Z0-9]{26}', accepts: hasDigit },
  { name: 'rapidapi-key', sign: /p1[a-f0-9]{5,6}jsn/, form: '[a-f0-9]{10}msh[a-f0-9]{15}p1[a-f0-9]{5,6}jsn[a-f0-9]{12}' },
];

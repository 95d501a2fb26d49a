/** Parts of invented projects, their troubles and remedies: as they are said in sessions, and as people ask for them weeks later. */

export interface Wording {
  readonly said: string;
  readonly asked: string;
}

const wordings = (lines: string): readonly Wording[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [said = '', asked = ''] = line.split('|').map((part) => part.trim());
      return { said, asked: asked || said };
    });

export const PARTS = wordings(`
the checkout page | checkout
the invoice exporter | exporting invoices
the avatar upload | uploading avatars
the search sidebar | the sidebar search
the login form | logging in
the thumbnail service | thumbnails
the newsletter mailer | mailing the newsletter
the billing webhook | billing webhooks
the currency converter | converting currencies
the map tiles | map tiles
the calendar sync | syncing calendars
the password reset | resetting passwords
the CSV importer | the import of CSV
the notification queue | queued notifications
the audit trail | the audit trail
the feature flags | a feature flag
the websocket gateway | the websockets
the PDF renderer | rendering PDFs
the geocoder | geocoding
the coupon engine | coupons
the shipping labels | a shipping label
the chat widget | the chat widget
the warehouse dashboard | the warehouse dashboards
the telemetry collector | collecting telemetry
the playlist shuffler | shuffling playlists
the barcode scanner | scanning barcodes
the translation cache | cached translations
the onboarding wizard | the wizard for onboarding
the markdown preview | previews of markdown
the recommendation feed | recommendations
the inventory ledger | the ledger of the inventory
the video transcoder | transcoding videos
the rate limiter | rate limiting
the tenant provisioning | provisioning tenants
the spellchecker | spellchecking
the backup rotation | rotating backups
the OAuth callback | the callback of OAuth
the loyalty points | loyalty points
the kiosk printer | printing at the kiosk
the seat planner | planning seats
`);

export const TROUBLES = wordings(`
times out under load | timeouts
loses the selected locale | the lost locale
leaks file descriptors | leaking descriptors
shows stale prices | stale prices
sends everything twice | things sent twice
breaks on umlauts | broken umlauts
blocks the event loop | a blocked event loop
rounds half cents wrongly | half cents rounded wrongly
flickers on dark themes | flickering with the dark theme
crashes on empty folders | crashes with empty folders
ignores the daylight saving change | daylight saving
deadlocks with the scheduler | the deadlock with the scheduler
truncates long filenames | truncated filenames
misses the last row | the missing last row
eats all memory overnight | memory overnight
fails behind the corporate proxy | the corporate proxy
mixes up left-handed layouts | left-handed layouts
duplicates primary keys | duplicate primary keys
forgets the scroll position | the scroll position
swallows rejected promises | swallowed promises
`);

export const REMEDIES = [
  'debounce the requests by',
  'raise the pool size to',
  'pin the worker to revision',
  'keep a bloom filter of order',
  'shard the table by modulus',
  'compare the digests in chunks of',
  'flush the journal after',
  'split the payload at offset',
  'reserve a lease with priority',
  'precompute the index with stride',
  'fall back to the mirror on port',
  'batch the writes in groups of',
];

/** Remedies that sessions never have. */
export const NEVER = wordings(`
kubernetes operators
terraform modules
blockchain receipts
a fortran kernel
quantum annealing
a GraphQL federation
cobol copybooks
erlang supervisors
an RFID antenna
homomorphic encryption
a zeppelin mooring
paper punch cards
`);

/** What is said between everything else. */
export const CHATTER = [
  'Let me look at the surrounding code first',
  'The tests are green now',
  'Please also update the changelog',
  'I renamed the variable for clarity',
  'Can you explain that in one sentence?',
  'Looks good, go on',
  'I read the file and found nothing unusual',
  'Run the linter again please',
  'There was an unrelated warning about a deprecated option',
  'What is left to do?',
];

export interface Language {
  readonly name: string;
  /** Said by the person and by the model; `%` stands for the token. */
  readonly prompt: string;
  readonly answer: string;
  readonly asked: string;
}

const languages = (lines: string): readonly Language[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => {
      const [name = '', prompt = '', answer = '', asked = ''] = line.split('|').map((part) => part.trim());
      return { name, prompt, answer, asked };
    });

export const LANGUAGES = languages(`
de | Der Zertifikatswächter meldet abgelaufene Schlüssel zu spät | Der Wächter prüft die Schlüssel jetzt mit Vorlauf % | Wie haben wir das mit den abgelaufenen Schlüsseln beim Zertifikatswächter gelöst?
de | Die Gehaltsabrechnung rundet Überstunden falsch | Überstunden werden nun mit Schrittweite % gerundet | Warum wurden Überstunden in der Gehaltsabrechnung falsch gerundet?
es | El calendario duplica los eventos recurrentes | Los eventos recurrentes llevan ahora la clave % | ¿Cómo arreglamos los eventos recurrentes duplicados del calendario?
es | La impresora térmica corta los recibos largos | Los recibos se dividen con margen % | ¿Qué hicimos con los recibos cortados de la impresora térmica?
fr | Le planificateur oublie les jours fériés | Les jours fériés viennent maintenant de la table % | Comment avons-nous traité les jours fériés dans le planificateur ?
fr | La messagerie perd les pièces jointes volumineuses | Les pièces jointes passent par le relais % | Qu'est-ce qui a réglé la perte des pièces jointes dans la messagerie ?
it | Il magazzino conta due volte le spedizioni annullate | Le spedizioni annullate sono filtrate dal codice % | Come abbiamo risolto le spedizioni annullate contate due volte in magazzino?
it | La bolletta mostra accenti sbagliati | Gli accenti usano la codifica % | Che cosa abbiamo fatto per gli accenti sbagliati nella bolletta?
ja | 在庫画面の並べ替えが遅い | 並べ替えに索引 % を使うようにしました | 在庫画面の並べ替えはどうやって速くした?
ja | 請求書の税率が古いままです | 税率表を % に更新しました | 請求書の税率の件はどう直した?
ko | 결제 서버의 인증서가 만료되었어 | 인증서를 % 주기로 갱신하도록 했습니다 | 결제 서버 인증서 만료는 어떻게 해결했지?
ko | 알림 큐가 메시지를 중복 발송해 | 중복 메시지는 키 % 로 걸러냅니다 | 알림 큐의 중복 메시지를 어떻게 고쳤나?
pt-br | O relatório mensal ignora estornos parciais | Os estornos parciais agora usam a coluna % | Como resolvemos os estornos parciais no relatório mensal?
pt-br | A fila de impressão trava com arquivos vazios | Arquivos vazios são descartados pela regra % | O que fizemos com a fila de impressão travada por arquivos vazios?
ru | Планировщик теряет задачи после перезапуска | Задачи сохраняются в журнале % | Как мы исправили потерю задач планировщика при перезапуске?
ru | Отчёты по складу открываются слишком долго | Отчёты строятся по индексу % | Почему складские отчёты долго открывались?
zh-cn | 购物车的优惠券重复使用 | 优惠券现在用锁 % 校验 | 上次购物车优惠券重复使用的问题怎么解决的?
zh-cn | 日志轮转占满了磁盘 | 日志轮转改为阈值 % | 日志轮转占满磁盘是怎么处理的?
zh-tw | 訂單編號在尖峰時段重複 | 訂單編號改由序列 % 產生 | 尖峰時段訂單編號重複是怎麼修好的?
zh-tw | 匯出報表的字型缺字 | 報表改用字型 % | 匯出報表缺字的問題後來怎麼處理?
`);

export interface Form {
  readonly said: string;
  readonly asked: string;
}

/** Names in code and other forms of words. */
export const FORMS: readonly Form[] = [
  { said: 'retryBudgetPolicy in src/net/retryBudget.ts starves slow clients', asked: 'Why does the retry budget starve slow clients?' },
  {
    said: 'The parser of lib/tokens/heredoc_scanner.py drops trailing tabs',
    asked: 'What was wrong in heredoc_scanner.py with trailing tabs?',
  },
  { said: 'validateShippingAddress rejects islands', asked: 'How did we get the validation of shipping addresses to take islands?' },
  { said: 'The allocator fragments when arenas are resized', asked: 'fragmentation after resizing an arena' },
  { said: 'Serialize the snapshots lazily, or the replica stalls', asked: 'lazy serialization of a snapshot and stalling replicas' },
  { said: 'mergeAuditRecords sorts by the wrong clock', asked: 'merging audit records with a wrong clock' },
  { said: 'Normalizing emails breaks plus addressing', asked: 'email normalization and plus addresses' },
  { said: 'The XMLHttpBridge keeps cookies of other tenants', asked: 'cookies of another tenant in the XML http bridge' },
  { said: 'config/prod/limits.yaml throttles the importer', asked: 'What in config/prod/limits.yaml was throttling importers?' },
  { said: 'Prefetching thumbnails starves scrolling', asked: 'scroll starved by the thumbnail prefetch' },
];

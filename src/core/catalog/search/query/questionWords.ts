/**
 * Words of questions in the languages of the user interface, which say nothing about what is asked for. Folded as in the index. Pure.
 */

/** Words of grammar: a text is neither better with them nor worse without. */
const ENGLISH = `a about above after again ago all already also am an and another any anyone anything are around as ask asked at away back be became
   because been before behind being below between both but by came can come could did do does doing done during each either else ever
   every exactly few finally first for from further get gets getting give gave given go goes going gone got had has have having he her
   here him his how i if in instead into is it its itself just kind know knew last late later least let like made make makes making many
   may maybe me mean might mine more most much must my need needed never next no none nor not now of off often on once one only onto or
   other our out over own please previous previously rather really recall remember same say said says see seem seen she should since so
   some someone something somewhere still such take taken tell than that the their them then there these they thing things think this
   those though through time times to today together told too took toward try two under until up upon us very via want wanted was way we
   week well went were what whatever when where whether which while who whom whose why will with within without would yes yesterday yet
   you your earlier eventually actually currently month end ended ends ending turn turned turns don t s re ve ll d m isn wasn didn doesn
   couldn wouldn shouldn won aren weren hasn haven hadn`;

const GRAMMAR = [
  ENGLISH,
  // German
  `aber alle als am an auch auf aus bei beim bis da damals damit dann das dass dem den denn der des die dies diese diesem diesen dieser
   dieses doch dort du ein eine einem einen einer eines er es etwas euch für fur gab gegen hab habe haben hat hatte hatten ich ihr im in
   ist ja je jemals jetzt kein keine können konnen konnte letzte letzten letztes mal man mehr mein mit nach nicht nichts nie noch nun
   nur ob oder ohne schließlich schliesslich schon sehr sein seine sich sie sind so statt über uber um und uns unser unsere unter vom von
   vor wann war waren warum was weg wegen weil welche welchem welchen welcher welches wem wen wenn wer werden wie wieder wieso wir wird
   wo wofür wofur worden wurde wurden zu zuletzt zum zur zwischen eigentlich`,
  // Spanish, Portuguese
  `a al algo alguna alguno ante antes aqui asi aun cada casi como con cual cuales cuando de del desde donde dos el ella ellas ellos en
   entonces entre era eran es esa ese eso esta estaba estan estas este esto estos fue fueron ha habia haciamos han hasta hay hemos hicimos
   hizo la las le les lo los mas me mi mis muy nada ni no nos nosotros nuestra nuestro o otra otro para pero poco por porque que quien se
   sea ser si siempre sin sobre son su sus tambien tan te tenemos tiene todo tu ultima ultimo un una unas uno unos vez y ya yo nunca
   alguma algum ao aos as ate com da das dele depois do dos e ela ele eles em essa esse esta estava eu foi foram fizemos fez isso isto ja
   mais mas meu minha na nao nas nem no nos nossa nosso num numa os ou pela pelo por porque pra quais qual quando quem sao se sem seu sua
   tambem tem temos tinha um uma umas uns voce vez nunca ultima ultimo finalmente`,
  // French, Italian
  `a afin ai alors apres as au aucun aucune aussi autre aux avait avant avec avez avons avoir c ca car ce cela ces cet cette ceux chaque
   comme comment d dans de deja depuis des derniere dernier deux dit donc du elle elles en encore enfin ensuite entre es est et etaient
   etait ete etes etre eu fait fois font il ils j jamais je l la le les leur leurs lors lui m mais me meme mes moi mon n ne ni non nos
   notre nous on ont ou par parce pas peu peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses
   si son sommes sont sous sur t ta te tes toi ton tous tout toute toutes tres tu un une vers votre vous y jamais finalement
   abbiamo ad agli ai al alla alle allo anche ancora avevamo aveva avevano che chi ci cio col come con cosa cui da dal dalla dalle dallo
   dei del della delle dello di dopo dove due e ed era erano fatto fu gia gli ha hai hanno ho i il in infine io la le lei li lo loro lui
   ma mai mi mia mio ne negli nei nel nella nelle nello no noi non nostra nostro o per perche piu poi prima qual quale quali quando quella
   quelle quelli quello questa questi questo se sempre senza si sia siamo sono sta stata stato su sua sul sulla suo tra tu tutti tutto un
   una uno volta ultima ultimo`,
  // Russian
  `а без более бы был была были было быть в вам вас во вот все всего всех вы где да даже для до его ее если есть еще же за и из или им
   их к как какая какие каким какой какую кем когда когда-то кого кому который которая которое которые кто ли либо мне мы на над надо
   нам нас наш наша не него нее нет ни них но ну о об он она они оно от откуда по под после потом потому почему при про раз с сам со так
   также там те тем то тогда того тоже той только том тот ту ты у уже чего чем через что чтобы эта эти этого этом этот эту это я
   никогда последнии последнего последняя наконец зачем итоге`,
  // Korean
  `왜 어떻게 무엇 무엇을 뭐 뭘 뭐가 언제 어디 어디서 누가 어떤 어느 그 이 저 우리 우리가 우리는 나 내가 그때 지난 지난번 지난번에 마지막 마지막으로
   결국 다시 했 했나 했지 했어 했나요 했습니까 했었지 했었나 하는 한 할 것 것을 수 있 있는 있어 있나 있나요 있었나 있었지 없는 및 또는 그리고 때
   때문에 대해 대신 위해 적이 적 번 더 전에 후에`,
  // Phrases that ask whether someone remembers or knows what happened, and more words of grammar: German, Spanish and Portuguese, French and Italian, Russian, Korean
  `allem allen aller alles andere anderen anderer anderes außer außerdem beide beiden bereits besonders besser bin bisher bist dabei
   dadurch daher danach daran daraus darum darunter darüber davon davor dazu deine deinem deinen deiner denen deren deshalb dessen deswegen
   durch durfte dürfen eben einige einigen eins endlich entweder erste ersten etwa eure euren früher ganze ganzen gegenüber gehabt gehen
   genug gerade gern gesagt gewesen gibt gleich groß große großen gut heute hier hinter ihrer indem irgend irgendwann irgendwie jedem jeden
   jedoch jene kann kaum keinem keinen keiner kommen kommt lange machen macht machte manche mancher meine meinem meinen meiner muss müssen
   nachdem natürlich neben nein niemand oben oft richtig sagte seid seien seines seitdem selber sieht sollen sollt sondern sonst später
   steht tat trotzdem tun unseres viele vielleicht während wäre weiter wenig weniger wessen wirklich wohl wollen zuerst zurück zusammen
   zwei überhaupt übrigens weißt weisst weiß weiss wissen wusste erinnerst erinnern erinnere dir mich dich kannst könnt konntest sag sagen
   sagt erzähl weshalb womit wodurch woran wovon worauf wozu woher immer erst seinerzeit ende geht ging gegangen kam kamen gekommen
   passiert passierte lief ließ sollte sollten wollte wollten musste mussten sache sachen ding dinge bitte genau ganz gar ihm ihn ihnen
   ihre ihrem ihren seit seinem unserer unserem unseren viel zwar solche soll dafür dagegen darauf hin einmal zweimal jeder jede jedes
   jemand bekommen`,
  `durante contra hacen hacemos haya hayan hubo habiamos eramos estabamos teniamos ningun ninguno ninguna cuanto cuantos cuantas tal
   tampoco toda demas luego pues salieran salir poner puso pusieron pusimos acuerdo ayer hoy usted ustedes vosotros tuvimos tuvo sido
   siendo acuerdas acuerda recuerdas recuerda recuerdo sabes sabe saber alguien tenia tenian habian hacer hacia hacian paso pasaba pasado
   quedo quedaba salia salian puede podia podian pudo poder dime decir iba va vamos manera modo final cosas veces acabo acabamos esos ahi
   mismo misma nuestros nuestras todos todas otros dejamos dejo ocurria ocurrio ainda alguem algumas alguns apenas assim atras atraves bem
   daquele daquela dela delas deles dessa desse desta deste devia disso disto enquanto estao estar esteve estou faz fazem fim fomos hoje
   houve lhe logo menos mesma mesmo muita muitas muitos naquele naquela nenhum nenhuma nessa nesse nesta neste ninguem nossas nossos outra
   outras outro outros pelas pelos podem pois posso pouca quanto quer segundo seja seria seus somos sou suas talvez tao ter teve tido tudo
   ultimas vai veio vezes vir voces acaba afinal ontem cade lembra lembram lembro sabem gente ficou ficava ficaram acabou aconteceu
   acontecia havia tinham pode conseguimos deu dar jeito coisa coisas fazer feito fazia estavam eram agora entao aquele aquela aquilo onde
   qualquer muito diga dizer forma`,
  `avais avions aviez aurait aurais auraient serait seraient serais soit soient suis etions eux vos ceci ici trop assez rien personne chez
   devait devaient doit fallait faut voulait pendant contre donner mettre mise pourrait vraiment semble souviens souvient souvenez sais
   savez sait savoir rappelle rappelez rappeler dis dire dites peux pouvez pouvoir faire faisait faisaient passe passait arrive arrivait
   venait sorti sort fin facon maniere chose choses lequel laquelle celui celle dont toujours quelqu quelque desormais maintenant fut
   avaient avete avuto avevate contro dagli dall dell eri eravamo essendo faccio fai facciamo fanno faceva facevano fece furono nell nostri
   nostre quanta quanti quante queste sarebbe sara saranno sarebbero sei siete stava stavano sto sui sugli sull sullo suoi sue tuo tua tuoi
   tue vi voi vostro vostra avrebbe abbia invece proprio qualcuno qualcosa nessuno troppo molto ieri oggi poteva ti ricordi ricorda
   ricordate ricordo sai sapete sapere dimmi dirmi puoi potete fare fosse fossero stati state veniva venivano andava andato successo
   succedeva finita finito fine maniera cose questione faccenda visto aver avere essere riusciti riuscito ora adesso`,
  `меня ему ведь себя себе ничего может будто будет совсем ним почти мои моя свою свои своих хоть больше много разве перед иногда лучше
   чуть нельзя такие такои такая всегда конечно всю между лишь должен должны почему-то кто-нибудь вообще сегодня вчера раньше помнишь
   помните помню напомни напомните знаешь знаете скажи скажите расскажи кончилось закончилось получилось делали делать сделали стало стали
   стал могли мог можно теперь сейчас опять снова очень конце концов случилось происходило произошло дело куда`,
  `무엇으로 뭐였지 뭐였더라 뭐였어 뭐였는지 그랬지 그랬어 기억나 기억나니 기억해 알아 알려 알려줘 줘 말해줘 거 건 걸 게 이런 그런 이제 당시 하기로 했더라 됐더라 됐지 됐어 하던 되던 누구 혹시 안 못 좀 너무 다 또`,
].join(' ');

/** Verbs and nouns of questions about work: a text with them is better, but a text may say it otherwise. */
const WEAK = [
  `abandon abandoned add added agent agreed alternative answer approach approaches argument arguments attempt attempted attempts bug bugs
   cause caused change changed chat choice choose chosen chose code command commands conclude concluded conclusion consider considered
   conversation correct create created cure cured decide decided decision decisions discard discarded discuss discussed ditch ditched
   drop dropped error errors explain failed fail failing failure failures fault file files find found finding fix fixed fixes fixing
   happen happened happening helped idea implement implemented introduce introduced investigate investigated issue issues keep kept
   learn learned leave left line look looked mention mentioned messed method move moved option options output outcome path pick picked
   plan prefer preferred problem problems propose proposed purpose question reason reasons rejected reject replace replaced resolve
   resolved result results run ran running rule ruled session sessions set settle settled show showed solution solve solved solving
   start started state stop stopped strategy subagent suggest suggested switch switched talk talked test tests thought tried trying
   trouble use used using value version work worked working workaround write written wrote wrong went went winner won right`,
  `abgelehnt ansatz ansätze ansatze ausprobiert behoben befehl benutzt entschieden entscheidung fehler fehlgeschlagen gefunden gelöst
   gelost geändert geandert gemacht genommen grund lösung losung probiert problem repariert verworfen versuch versucht versuche
   verwendet ersetzt entschieden funktioniert gescheitert sitzung repariert
   reparieren beheben lösen korrigiert korrigieren geklappt hinbekommen erledigt geregelt unternommen ursache falsch probleme lösungen`,
  `arreglamos arreglar arreglo cambio comando corregimos decidimos decision descartamos elegimos error errores fallo intentamos intento
   motivo problema probamos razon reemplazo resolvimos resolver sesion solucion solucionamos usamos abandonamos consertamos corrigimos
   descartamos erro erros escolhemos falha resolvemos solucao tentamos tentativa usar abandonou arreglado arreglada
   arreglaron resuelto resuelta resolvio soluciono solucionado solucionaron corregido corrigio evitar evitamos causa culpa resolvido resolvida
   resolveu resolver consertado consertou consertar corrigido corrigiu arrumamos arrumou arrumar evitou problemas`,
  `abandonne avons choisi choix commande corrige corriger decide decision echec echoue erreur erreurs essaye essai prob probleme raison
   regle traite traitee traiter resolue reglee corrigee marche garde gardee rejete rejetee remplace resolu resoudre session solution tentative utilise abbandonato comando corretto deciso decisione errore errori fallito
   motivo problema provato ragione risolto risolvere scartato scelto scelta sessione soluzione sostituito tentativo usato reparer repare reparee evite eviter empeche
   empecher resolus reglees trouve trouvee solutions problemes sistemato sistemata sistemati sistemate sistemare aggiustato aggiustata corretta
   corretti corrette risolta risolti risolte evitato problemi`,
  `команда команду команды исправили исправить исправлен исправление ошибка ошибку ошибки отказались пробовали попытка попытки почини
   починили причина причину проблема проблему решение решили решили выбрали сделали использовали заменили помогла помогло
   сессия сессии решена решено исправлена исправлено чинили починен поправили устранили избавились добились придумали проблемы проблемой`,
  `고쳤 고쳤나 고쳤지 고쳤나요 고쳤어 해결 해결했 해결했나 해결했지 해결했나요 시도 시도했 시도했나 이유 이유가 이유는 문제 문제를 문제가 오류 오류를 오류가 명령 명령어
   명령은 명령이 방법 방법을 방법은 결정 결정했 결정했나 포기 포기했 포기했나 선택 선택했나 바꿨 바꿨나 사용했나 세션 처리 원인 막았지 막았어 막았나`,
].join(' ');

/** Words of everyday speech: if no session has one, a text most likely says it otherwise. */
const EVERYDAY = `able absence accept accident account act actual address admit advantage affect afford agree aim allow alone amount angry annoy
 annoying announce appear apply argue arrange arrive attack avoid awful awkward bad bail balance ban basic bear beat beautiful beginning behave
 behavior believe benefit best better big bigger bit bite blame block blow body boost borrow bother bottom bound brand break brief bring broad
 broken build bump burn busy buy bypass calm cancel care careful careless carry catch caution chance cheap check chief choke circumstances claim
 clean clear clever climb close clue clumsy cold collapse combine comfort commit common complain complaint complete complex complicated concern
 condition confirm conflict confuse confused confusing confusion connect consequence considering content contribute convince cope cost count cover
 crash crazy creep crisp critical cross cruel crucial curious current curse cut damage danger dangerous dark dead deal debate deep defeat defect
 defend define delay deliver demand deny depend describe design desired despite detail determine develop deviate die differ difference different
 difficult difficulty dig direct dirty disable disappear disaster discover disease dislike display distant distinct disturb doubt draw dream drift
 drive dull early ease easy edge effect effective effort elegant eliminate embarrass emerge employ empty enable encounter endless enforce engage
 enough ensure entire equal escape establish estimate evidence evil exact exactly example excellent excessive exclude excuse exist expect expensive
 experience explanation explore express extra extreme eye face fact fair fall false familiar famous fast fat fate favor favorite favour fear
 feature feel fellow fewer fight figure fill final fine finish firm fit flat flaw float flow follow fool force forget form former forward free
 freeze frequent frequent fresh friend front frustrating fuss full fun funny further gain gather general gentle genuine glad glitch glitches goal
 good grand great ground grow growth guess guide guilty habit half halt handle handled handling hang happy hard harm harmful hate head heal hear
 heart heavy help hesitate hiccup hiccups hidden hide high hint hit hold hole hope horrible hot huge hunt hurry hurt ideal identical ignore ill
 imagine immediate impact important impossible impress improve improvement include inconvenient incorrect increase indeed influence inform initial
 inspect install instance intend intention interest interesting intermittent involve join joke judge jump keen kill knock lack land large lasting
 lead leak lean least lend length lesson level lie life light likely limit list little live load local long loose lose loss lost lot loud love low
 lower luck lucky mad magic main maintain major manage manner mark master match matter meaning meant measure meet memory mention mere merely mess
 mild mind minor minute misbehave misbehaving miss missing mistake mix model modern modify moment mood motive mystery naive name narrow nasty
 natural nature neat necessary negative nervous new nice noise noisy normal note notice number obtain obvious occasion occasional occur odd offer
 opinion opportunity opposite ordinary organize origin original outcome outright overall overcome pain painful pan part particular party pass past
 patch patience pay peculiar perfect perform perhaps permit person persuade phase piece place plain plausible play pleasant plenty point polite
 poor popular possible possibly postpone power practical practice praise precise prepare present preserve press pressure pretend prevent price
 pride primary principle prior private prize probably proceed produce progress promise prompt proof proper protect proud prove provide pull
 purpose pursue push put puzzle quality quick quiet quirk quirks quit quite raise random range rapid rare rate raw reach react reaction ready
 real reality realize reappear rearrange rebuild receive recent reckon recommend recover reduce refer refuse regard regret regular relate related
 relation relax release relevant reliable relief rely remain remark remedy remedied remind remove repair repeat reply report require rescue respond
 response responsible rest restore retain return reveal review revise reward rid ridiculous ring rise risk rival role root rough round route rude
 ruin rush sacrifice sad safe satisfy save scare scary scene scheme scope scrap scrapped seek select sense sensible separate serious serve severe
 shame shape share sharp shift shiny ship shock short shoot shut shy sick side sign significant silly similar simple simply single sink situation
 skill skip sleep slight slip slow sluggish small smart smooth sneaky soft solid sorry sort sound source speak special specific speed spend spirit
 split spoil spot spread stable stage stand standard stay steady steal step stick sticky stiff stir story straight strange stress strict strike
 strong structure struggle struggled stuck stupid style subject succeed success successful sudden suddenly suffer suffered sufficient suitable sum
 supply support suppose sure surprise survive suspect sweet swift symptom symptoms system tackle tackled tactic talk tame target task taste teach
 teammate tear technique tend tendency term terrible thank thick thin thorough threat throw tidy tight tiny tired tool top total tough track train
 trap treat treatment trick tricky trigger triggered trim trip trivial true trust truth tweak tweaked type ugly ultimate unable uncover underlying
 understand unexpected unfortunate unhappy unique unlikely unusual urgent useful useless usual vague valid valuable variety vast view violent
 visible visit vital wait walk warn waste watch weak weird whole wide wild win wise wish wonder word world worry worse worst worth wound writing
 yield zero crept cropped emerged popped surfaced culprit rationale verdict consensus takeaway discovered remedy cure curing amend mend mended
 regression regressions reverted revert undone undo rolled rollback backed discarded shelved scrapped nixed dumped trashed axed dismissed
 ruled favored favoured instead alternative alternatives contender proposal proposals experiment experiments experimented trial trials
 occurred arose arise cropping appearing vanish vanished gone silence silenced calm cured root rooted underlying behind responsible blamed
 colleague teammate customer customers somebody everyone
 fehlen fehlend fehlende fehlenden fehlte fehlten falsche falschen falscher doppelt doppelte doppelten langsam langsame langsamen verloren
 verschwanden verschwunden spät späte späten hing hakte ständig plötzlich griff stimmt klappte nervte lag schuld alt alte alten neu neue neuen
 faltaba faltaban faltan faltantes perdian perdidos perdidas mal lento lenta lentos repetido repetidos repetida repetidas doble dobles roto
 rotos incorrecto incorrectos desaparecian desaparecia fallaba fallaban seguia terminaba termino lio viejo viejos nuevo nuevos grande grandes
 manquant manquants manquante manquantes manquait manquaient perdu perdus perdue perdues perdait faux fausse fausses lent lente lents double
 doubles casse cassee disparaissait disparaissaient disparu plantait pris compte lourd lourdes mauvais mauvaise vieux nouveau nouvelle
 mancante mancanti mancava mancavano perso persi persa perse sbagliato sbagliata sbagliati sbagliate lenti lente doppio doppia doppi doppie
 rovinati rotto rotta spariva sparivano uscivano usciva risultavano risultava vecchio nuovo nuovi
 faltando faltava faltavam sumia sumiam sumiu perdido perdida perdidas errado errada errados erradas lenta quebrado apareciam aparecia travava
 travavam parava demorava demoravam velho novo novos ignorado ignorados
 пропадал пропадала пропадали пропало терялся терялись терялась потерянные медленно медленный тормозил тормозили тормозило неправильно
 неправильные дважды сломалось сломался сломалась плохо зависал зависали страшно ускорили новыи старыи
 빠진 빠졌 느린 느렸 느리게 잘못 잘못된 늦게 늦은 번씩 사라진 사라지던 자꾸 계속 이상한 이상했 나가던 나오던 오던 새 옛 오래된`;

/** Characters of grammar and questions in texts without spaces between words. */
export const GRAMMAR_CHARACTERS: ReadonlySet<string> = new Set(
  '的了是在我们們什么麼为為怎那这這个個吗嗎呢吧有不没沒上次最后後来來哪个如何曾经經过過与與和或就都也还還要用把被给給让讓对對从從到地得着著请請会會能可以它他她你您中以因之前何故決',
);

/** Folds like the index, which keeps Korean syllables and drops accents; `й` becomes `и`. */
const folded = (words: string): ReadonlySet<string> =>
  new Set(words.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').split(/\s+/));

/** Words of two characters that say as little. */
export const GRAMMAR_PAIRS: ReadonlySet<string> = new Set(
  '时候 時候 方法 问题 問題 决定 決定 解决 解決 处理 處理 修好 修复 修復 最后 原因 理由 命令 错误 錯誤 尝试 嘗試 放弃 放棄 选择 選擇 采用 採用 结果 結果 时间 時間 当时 當時 当初 當初 记得 記得 还记 還記 后来 後來 办法 辦法 搞定 弄好 收场 收場 事情 情况 情況 狀況 毛病 出现 出現 知道 結局 対応 対処 修正 間違'.split(
    ' ',
  ),
);

export const ENGLISH_GRAMMAR = folded(ENGLISH);
export const GRAMMAR_WORDS = folded(GRAMMAR);
export const WEAK_WORDS = folded(WEAK);
export const EVERYDAY_WORDS = folded(EVERYDAY);

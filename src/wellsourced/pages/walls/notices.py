"""What a site says in a few lines when it will not show a page just now, or not here, or not to the young.

Good pages speak of all of this too; these phrases count only where they head a page of a few lines.
"""

from __future__ import annotations

from wellsourced.pages.walls.signs import compile_phrases

TOO_OFTEN = compile_phrases(
    "too many requests·429 too many requests·error 429·http 429·rate limit exceeded",
    "exceeded the rate limit·exceeded your rate limit·you have been rate limited·you've been rate limited",
    "making requests too quickly·making too many requests·made too many requests·sent too many requests",
    "sending requests too quickly·request limit exceeded·request limit reached·zu viele anfragen",
    "zu viele anfragen gesendet·trop de requêtes·trop de demandes·demasiadas solicitudes·demasiadas peticiones",
    "muitas solicitações·muitas requisições·excesso de solicitações·troppe richieste·te veel verzoeken",
    "te veel aanvragen·för många förfrågningar·for mange forespørgsler·for mange forespørsler·liian monta pyyntöä",
    "zbyt wiele żądań·zbyt wiele zapytań·příliš mnoho požadavků·túl sok kérés·prea multe cereri·πάρα πολλά αιτήματα",
    "слишком много запросов·занадто багато запитів·забагато запитів·çok fazla istek·çok fazla istek gönderdiniz",
    "请求过于频繁·访问过于频繁·访问太频繁·操作过于频繁·请求次数过多·請求過於頻繁·請求次數過多",
    "リクエストが多すぎます·アクセスが集中しています·ただいまアクセスが集中しております·요청이 너무 많습니다",
    "너무 많은 요청·طلبات كثيرة جدا·درخواست های بیش از حد·יותר מדי בקשות·बहुत अधिक अनुरोध·คำขอมากเกินไป",
    "too many requests please try again later·quá nhiều yêu cầu·terlalu banyak permintaan",
)

ELSEWHERE = compile_phrases(
    "not available in your country·not available in your region·not available in your location",
    "not available in your area·unavailable in your country·unavailable in your region·unavailable in your location",
    "unavailable in your area·isn't available in your country·isn't available in your region",
    "content is not available in your region·content is not available in your country",
    "unavailable in most european countries·unavailable to visitors from the european economic area",
    "not available in the european union·access from your country has been·access from your country is not",
    "in ihrem land nicht verfügbar·in deinem land nicht verfügbar",
    "our european visitors are important to us",
    "in ihrer region nicht verfügbar·pas disponible dans votre pays·pas disponible dans votre région",
    "no está disponible en tu país·no está disponible en su país·no disponible en tu país",
    "não está disponível no seu país·não está disponível em seu país·non è disponibile nel tuo paese",
    "niet beschikbaar in jouw land·niet beschikbaar in uw land·inte tillgängligt i ditt land",
    "niedostępna w twoim kraju·nie jest dostępna w twoim kraju·недоступен в вашей стране·недоступно в вашей стране",
    "недоступен в вашем регионе·недоступно в вашем регионе·недоступний у вашій країні",
    "ülkenizde kullanılamıyor·ülkenizde mevcut değil·您所在的国家或地区·您所在的地区无法·您所在的地區無法",
    "お住まいの国ではご利用いただけません·お住まいの地域ではご利用いただけません·お住まいの国からは",
    "해당 국가에서는·거주하시는 지역에서는·غير متاح في بلدك·غير متوفر في بلدك·אינו זמין במדינה שלך",
)

AGE = compile_phrases(
    "age verification required·verify your age·please verify your age·confirm your age·please confirm your age",
    "are you over 18·are you 18 or over·are you 18 or older·are you at least 18·are you 18 years·are you over 21",
    "are you 21 or older·are you of legal drinking age·are you of legal age·must be 18 or older to enter",
    "must be 18 to enter·must be 21 or older to enter·must be of legal drinking age·must be 18 to view this",
    "at least 18 years old to enter·are you over eighteen and willing to see adult content",
    "enter your date of birth·enter your date of birth to continue·bist du über 18·bist du schon 18",
    "sind sie über 18·sind sie mindestens 18·bestätigen sie ihr alter·avez vous plus de 18 ans·êtes vous majeur",
    "avez vous l'âge légal·eres mayor de 18·eres mayor de edad·es usted mayor de edad·você é maior de 18",
    "você tem mais de 18·hai più di 18 anni·sei maggiorenne·ben je 18 jaar·ben jij 18·är du över 18·är du 18",
    "er du over 18·er du fyldt 18·oletko yli 18·oletko täysi ikäinen·czy masz ukończone 18·czy masz 18 lat",
    "je vám 18·je vám více než 18·elmúltál 18·ai peste 18 ani·вам есть 18·вам уже есть 18·вам исполнилось 18",
    "вам виповнилося 18·18 yaşından büyük müsünüz·您是否已满18·您已满18·您是否年滿18·你滿18·18歳以上ですか",
    "あなたは18歳以上·年齢確認が必要です·성인인증이 필요합니다·연령 확인이 필요합니다·هل عمرك 18·هل أنت فوق 18",
    "האם אתה מעל גיל 18",
)

OUT_OF_ORDER = compile_phrases(
    "site is under maintenance·site under maintenance·website is under maintenance·website under maintenance",
    "currently under maintenance·we are under maintenance·we're under maintenance·site is down for maintenance",
    "we are down for maintenance·we're down for maintenance·currently down for maintenance",
    "currently undergoing maintenance·currently undergoing scheduled maintenance·undergoing scheduled maintenance",
    "we're performing some maintenance·we are performing maintenance·performing scheduled maintenance",
    "performing some maintenance at the moment·site maintenance·website maintenance",
    "unavailable for scheduled maintenance·we'll be back soon·we will be back soon·we'll be right back",
    "we'll be back shortly·we will be back shortly·502 bad gateway·bad gateway·503 service unavailable",
    "503 service temporarily unavailable·http error 503·the service is unavailable·504 gateway time out",
    "504 gateway timeout·500 internal server error·internal server error·services aren't available right now",
    "error establishing a database connection·critical error on this website·site is temporarily unavailable",
    "website is temporarily unavailable·site is experiencing technical difficulties",
    "website wird gerade gewartet·website wird derzeit gewartet·seite wird gerade gewartet",
    "seite wird derzeit gewartet·wir führen wartungsarbeiten durch·website ist vorübergehend nicht erreichbar",
    "seite ist vorübergehend nicht erreichbar·wir sind gleich wieder da·site en maintenance",
    "site est en maintenance·site est en cours de maintenance·site est temporairement indisponible",
    "sitio en mantenimiento·sitio web en mantenimiento·estamos en mantenimiento",
    "estamos realizando tareas de mantenimiento·site em manutenção·estamos em manutenção·sito in manutenzione",
    "sito è in manutenzione·website in onderhoud·site is in onderhoud·website is in onderhoud",
    "webbplatsen är stängd för underhåll·siden er under vedligeholdelse·nettstedet er under vedlikehold",
    "sivusto on huollossa·huoltokatko·przerwa techniczna·strona w trakcie prac·probíhá údržba webu",
    "az oldal karbantartás alatt·ο ιστότοπος βρίσκεται υπό συντήρηση·на сайте ведутся технические работы",
    "на сайте проводятся технические работы·сайт на техническом обслуживании·на сайті проводяться технічні роботи",
    "sitemiz bakımda·bakımdayız·系统维护中·网站维护中·系统正在维护·网站正在维护·系統維護中·網站維護中",
    "ただいまメンテナンス中·サイトメンテナンス中·システムメンテナンス中·서비스 점검 중·시스템 점검 중",
    "الموقع تحت الصيانة·האתר בתחזוקה·เว็บไซต์ปิดปรับปรุง·website đang bảo trì·trang web đang bảo trì",
    "hệ thống đang bảo trì·situs sedang dalam perbaikan·situs sedang dalam pemeliharaan",
)

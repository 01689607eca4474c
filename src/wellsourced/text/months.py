"""Names of months in many languages, and the years of the calendar that goes with some of them."""

from __future__ import annotations

import re

# As dates write them, so in the genitive where a language has one; names that mean different months are left out.
_NAMES = (
    "january jan januar jänner janvier janv enero ene gennaio gen januari janeiro января січня stycznia ledna januára"
    " január tammikuuta ocak ianuarie gener ιανουαρίου януари يناير ژانویه जनवरी ינואר มกราคม ม.ค янв січ sty oca"
    " jannar jaanuar janvāris janvārī sausio siječnja januarja januara јануара јануар јануари janúar eanáir студзеня"
    " xaneiro ιαν",
    "february feb februar février févr febrero febbraio februari fevereiro fev февраля лютого lutego února februára"
    " február helmikuuta şubat februarie febrer φεβρουαρίου февруари فبراير شباط فوریه फरवरी फ़रवरी פברואר กุมภาพันธ์"
    " ก.พ февр фев лют febr lut şub veebruar februāris februārī vasario veljače februarja februara фебруара фебруар"
    " febrúar feabhra frar лютага febreiro φεβ fevrier",
    "march mar märz mars marzo maart março марта березня marca března március marts maaliskuuta mart martie març maret"
    " μαρτίου март مارس آذار मार्च מרץ มีนาคม มี.ค мар бер márc mrz mrt märts martā kovo ožujka marta márta marzu"
    " сакавіка μαρ",
    "april apr avril avr abril abr aprile апреля квітня kwietnia dubna apríla április huhtikuuta nisan aprilie"
    " απριλίου април أبريل ابريل نيسان آوریل अप्रैल אפריל เมษายน เม.ย апр квіт ápr kwi nis aprill aprīlis aprīlī"
    " balandžio travnja aprila априла apríl aibreán красавіка απρ",
    "may mai mayo maggio mag mei maio мая травня maja května mája május maj toukokuuta mayıs maig μαΐου май مايو أيار"
    " مه मई מאי พฤษภาคม พ.ค трав máj maijs maijā gegužės svibnja мај маја maí bealtaine mejju μαίου μαϊ",
    "june jun juni juin junio giugno giu junho июня червня czerwca června júna június kesäkuuta haziran iunie juny"
    " ιουνίου юни يونيو حزيران ژوئن जून יוני มิถุนายน มิ.ย июн черв jún cze haz juuni jūnijs jūnijā birželio lipnja"
    " junija juna јуна јун јуни júní meitheamh ġunju чэрвеня xuño ιουν",
    "july jul juli juillet juil julio luglio lug julho июля липня lipca července júla július heinäkuuta temmuz iulie"
    " juliol ιουλίου юли يوليو تموز ژوئیه जुलाई יולי กรกฎาคม ก.ค июл лип júl tem juuli jūlijs jūlijā liepos srpnja"
    " julija jula јула јул јули júlí iúil lulju ліпеня xullo ιουλ",
    "august aug août agosto ago augustus августа серпня sierpnia srpna augusta augusztus augusti elokuuta ağustos"
    " agost agustus αυγούστου август أغسطس اغسطس آب اوت अगस्त אוגוסט สิงหาคม ส.ค авг серп sie ağu agu augusts augustā"
    " rugpjūčio kolovoza avgusta avgust ágúst lúnasa awwissu жніўня αυγ aout",
    "september sep sept septembre septiembre settembre setembro set сентября вересня września září septembra"
    " szeptember syyskuuta eylül septembrie setembre σεπτεμβρίου септември سبتمبر أيلول سپتامبر सितंबर सितम्बर ספטמבר"
    " กันยายน ก.ย сент сен вер szept wrz eyl septembris septembrī rugsėjo rujna septembar септембар септембра"
    " setiembre settembru верасня σεπ",
    "october oct oktober octobre octubre ottobre ott outubro out okt октября жовтня października října októbra október"
    " lokakuuta ekim octombrie οκτωβρίου октомври أكتوبر اكتوبر اکتبر अक्टूबर אוקטובר ตุลาคม ต.ค окт жовт paź eki"
    " oktoober oktobris oktobrī spalio oktobra oktobar октобар октобра ottubru кастрычніка οκτ",
    "november nov novembre noviembre novembro ноября листопада listopadu novembra marraskuuta kasım noiembrie"
    " νοεμβρίου ноември نوفمبر نوامبر नवंबर नवम्बर נובמבר พฤศจิกายน พ.ย нояб ноя kas novembris novembrī lapkričio"
    " studenoga studenog novembar новембар новембра nóvember samhain novembru лістапада νοε",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro декабря грудня grudnia prosince decembra"
    " joulukuuta aralık decembrie desembre desember δεκεμβρίου декември ديسمبر دسامبر दिसंबर दिसम्बर דצמבר ธันวาคม ธ.ค"
    " дек груд gru ara des detsember decembris decembrī gruodžio prosinca decembar децембар децембра nollaig diċembru"
    " снежня decembro decembre δεκ",
)
MONTHS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}
BUDDHIST_ERA, BUDDHIST_YEARS = 2400, 543
LISTOPADA = re.compile(r"(?<=\d)(\.?)\s+listopada\b", re.I)


def settled(text: str) -> str:
    """The text with the one name that means two months told apart: Croatian puts a dot behind the day, Polish none."""
    if "listopada" not in text.lower():
        return text
    return LISTOPADA.sub(lambda found: " oktobra" if found[1] else " novembra", text)


def common_year(year: int) -> int:
    """A Thai year such as 2567 as everybody else counts it."""
    return year - BUDDHIST_YEARS * (year > BUDDHIST_ERA)
